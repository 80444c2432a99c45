// Oncehook as users get it: the JavaScript that the build makes, from the folder that the benchmark built it into.
import { Pool } from 'pg'
import { effectSql } from './effect-sql.mjs'

export const folder = process.env.ONCEHOOK_BUILD ?? new URL('../../dist', import.meta.url).href

export const { createInbox } = await import(`${folder}/index.js`)
export const { nodeHandler } = await import(`${folder}/adapters/node-http.js`)
export const { createWebhookServer } = await import(`${folder}/adapters/webhook-server.js`)
export const { postgresStore } = await import(`${folder}/store/postgres/postgres-store.js`)
const { stripe } = await import(`${folder}/providers/stripe.js`)
const { github } = await import(`${folder}/providers/github.js`)

const { KEEP_DAYS: keepDays } = process.env

export const sources = {
  stripe: stripe({ secret: process.env.STRIPE_WEBHOOK_SECRET, ...(keepDays && { keepDays: Number(keepDays) }) }),
  github: github({ secret: process.env.STRIPE_WEBHOOK_SECRET }),
}

/** A pool as `pg` makes it by default: up to 10 connections. */
export const pool = new Pool({ connectionString: process.env.DATABASE_URL })

/** All settings are the defaults, except for how long receipts are kept where a benchmark says so. */
export const inbox = createInbox({ store: postgresStore(pool), sources })

export const oneRowEffect = (event, { tx }) => tx.query(effectSql, [event.id, event.payload.data.object.amount_paid])
