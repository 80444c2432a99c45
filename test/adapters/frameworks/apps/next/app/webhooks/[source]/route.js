import { nextHandler } from 'oncehook/next'
import { inboxOfProcess } from '../../../../../inbox.mjs'

const handle = nextHandler(inboxOfProcess())

export { handle as GET, handle as POST, handle as PUT }
