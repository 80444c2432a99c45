import { nextHandler } from 'oncehook/next'
import { inboxOfProcess } from '../../../../../inbox.mjs'

const handle = nextHandler(inboxOfProcess())

export async function POST(request) {
  await request.json()
  return handle(request)
}
