import { nextApiHandler } from 'oncehook/next'
import { inboxOfProcess } from '../../../../../inbox.mjs'

export const config = { api: { bodyParser: false } }
export default nextApiHandler(inboxOfProcess())
