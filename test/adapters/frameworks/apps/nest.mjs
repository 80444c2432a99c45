import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { nestHandler } from 'oncehook/nest'
import { inboxOfProcess } from '../inbox.mjs'

function AppModule() {}
Module({})(AppModule)

const inbox = inboxOfProcess()
const adapter = process.argv[2] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter()
const app = await NestFactory.create(AppModule, adapter, { logger: false })
app.use('/webhooks', nestHandler(inbox))
app.use('/parsed', async (request, _response, next) => {
  for await (const chunk of request) void chunk
  next()
})
app.use('/parsed', nestHandler(inbox))
await app.listen(Number(process.env.PORT), '127.0.0.1')
