import express from 'express'
import { expressHandler } from 'oncehook/express'
import { shadowMiddleware } from 'oncehook/node'
import { inbox } from './inbox.ts'
import { oldHandler } from './old-handler.ts'

const path = '/webhooks/stripe'
const raw = express.raw({ type: '*/*' })

/** As it was. */
export const before = express().post(path, raw, oldHandler)

/** The old handler does the work, and Oncehook looks on. */
export const watched = express().use(path, shadowMiddleware(inbox, 'stripe')).post(path, raw, oldHandler)

/** Oncehook does the work. */
export const after = express().use(path, expressHandler(inbox, 'stripe'))
