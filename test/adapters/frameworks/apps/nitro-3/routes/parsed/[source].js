import { defineHandler } from 'nitro/h3'
import { h3Handler } from 'oncehook/h3'
import { inboxOfProcess } from '../../../../inbox.mjs'

const handle = h3Handler(inboxOfProcess())

export default defineHandler(async (event) => {
  await event.req.json()
  return handle(event)
})
