import { nextHandler } from 'oncehook/next'
import { inbox } from '../../../lib/inbox'

export const POST = nextHandler(inbox)
