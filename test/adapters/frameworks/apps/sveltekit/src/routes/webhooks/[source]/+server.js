import { svelteKitHandler } from 'oncehook/sveltekit'
import { inboxOfProcess } from '../../../../../../inbox.mjs'

export const fallback = svelteKitHandler(inboxOfProcess())
