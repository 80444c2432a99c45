import { svelteKitHandler } from 'oncehook/sveltekit'
import { inboxOfProcess } from '../../../../../../inbox.mjs'

const handle = svelteKitHandler(inboxOfProcess())

export async function POST(event) {
  await event.request.json()
  return handle(event)
}
