import { h3Handler } from 'oncehook/h3'
import { defineEventHandler, readBody } from '#imports'
import { inboxOfProcess } from '../../../../inbox.mjs'

const handle = h3Handler(inboxOfProcess())

export default defineEventHandler(async (event) => {
  await readBody(event)
  return handle(event)
})
