import { nextApiHandler } from 'oncehook/next'
import { inboxOfProcess } from '../../../../../inbox.mjs'

export default nextApiHandler(inboxOfProcess())
