import 'reflect-metadata'
import type { INestApplication } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { nestHandler } from 'oncehook/nest'
import { AppModule, INBOX } from './app.module.js'

export async function createApp(): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] })
  app.enableShutdownHooks()
  // Before app.listen(): there no body parser has been yet, and no rawBody is needed.
  app.use('/webhooks', nestHandler(app.get(INBOX)))
  return app
}
