import type { ServerContender } from './measure-server.ts'

/** Where deliveries leave rows. */
const oncehookTables = ['receipts', 'bodies', 'queue', 'completions', 'attempts', 'deliveries'].map(
  (table) => `oncehook.${table}`,
)

export const doesNothing: ServerContender = {
  key: 'nothing',
  title: 'node:http, does nothing',
  file: 'contenders/does-nothing.mjs',
  counts: [],
  tables: [],
}

export const verifiesAndParses: ServerContender = {
  key: 'verify',
  title: 'node:http, verifies and parses, stores nothing',
  file: 'contenders/verifies-and-parses.mjs',
  counts: [],
  tables: [],
}

export const plainInsert: ServerContender = {
  key: 'insert',
  title: 'node:http, verifies, inserts one row',
  file: 'contenders/plain-insert.mjs',
  counts: ['select count(*) from webhook_events'],
  tables: ['webhook_events'],
}

/** What is left of Oncehook if it were nothing but its statements: how fast it could be at best. */
export const bareDoor: ServerContender = {
  key: 'bare',
  title: 'bare statements: receipt, body, queue row',
  file: 'contenders/bare-door.mjs',
  counts: [
    'select count(*) from receipts',
    'select count(*) from queue',
    'select count(*) from receipts join bodies on bodies.receipt_id = receipts.id',
  ],
  tables: ['receipts', 'bodies', 'queue'],
  isFullOnly: true,
}

const bareInlineCounts = [
  'select count(*) from receipts join bodies on bodies.receipt_id = receipts.id',
  'select count(*) from attempts',
  'select count(*) from effects',
  'select count(distinct event_id) from effects',
]

export const bareInline: ServerContender = {
  key: 'bare',
  title: 'bare statements: a transaction each',
  file: 'contenders/bare-inline.mjs',
  counts: bareInlineCounts,
  tables: ['receipts', 'bodies', 'attempts', 'effects'],
  isFullOnly: true,
}

export const bareInlineShared: ServerContender = {
  ...bareInline,
  key: 'bare-shared',
  title: 'bare statements: a shared commit',
  file: 'contenders/bare-inline-shared.mjs',
}

export const seedQueued: ServerContender = {
  key: 'seed',
  title: 'seed 004: Express + pg, one insert',
  file: 'peers/seed-queued.mjs',
  counts: ['select count(*) from webhook_receipts'],
  tables: ['webhook_receipts'],
}

export const seedInline: ServerContender = {
  key: 'seed',
  title: 'seed 000: Express + pg, one transaction',
  file: 'peers/seed-inline.mjs',
  counts: ['select count(*) from processed_events', 'select count(*) from effects'],
  tables: ['processed_events', 'effects'],
}

/** Receipt, body and queue row of each event, and the body is the one that was hashed. */
export const oncehookQueued: ServerContender = {
  key: 'oncehook',
  title: 'Oncehook, queued',
  file: 'contenders/oncehook-queued.mjs',
  counts: [
    'select count(*) from oncehook.receipts',
    'select count(*) from oncehook.queue',
    `select count(*) from oncehook.receipts join oncehook.bodies on bodies.id = body_id
     where body_hash = sha256(content)`,
  ],
  tables: oncehookTables,
}

/** The same behind a server of one's own. */
export const oncehookNodeHandler: ServerContender = {
  ...oncehookQueued,
  key: 'oncehook-node-handler',
  title: 'Oncehook, queued, nodeHandler',
  file: 'contenders/oncehook-node-handler.mjs',
  isFullOnly: true,
}

/** What is left of Oncehook if it had nothing but its tables: how fast it could be with these rows. */
export const sameRows: ServerContender = {
  ...oncehookQueued,
  key: 'same-rows',
  title: 'the rows of Oncehook, by hand',
  file: 'contenders/same-rows.mjs',
  isFullOnly: true,
}

/** The same without `node:http`. */
export const sameRowsPlain: ServerContender = {
  ...sameRows,
  key: 'same-rows-plain',
  title: 'the same without node:http',
  file: 'contenders/same-rows-plain.mjs',
}

/** The same as Oncehook, queued, with a memory in front. */
export const oncehookRemembering: ServerContender = {
  ...oncehookQueued,
  key: 'oncehook-remembering',
  title: 'Oncehook, queued, memoryCache()',
  file: 'contenders/oncehook-remembering.mjs',
}

/** The same, with Redis in front. */
export const oncehookRedis: ServerContender = {
  ...oncehookQueued,
  key: 'oncehook-redis',
  title: 'Oncehook, queued, Redis in front',
  file: 'contenders/oncehook-redis.mjs',
  redis: 'never',
}

export const oncehookInlineShared: ServerContender = {
  key: 'oncehook-shared',
  title: "Oncehook, inline, commit: 'shared'",
  file: 'contenders/oncehook-inline-shared.mjs',
  counts: [
    `select count(*) from oncehook.receipts where status = 'processed'`,
    'select count(*) from effects',
    'select count(distinct event_id) from effects',
  ],
  tables: ['effects', ...oncehookTables],
}

export const oncehookInline: ServerContender = {
  key: 'oncehook',
  title: 'Oncehook, inline',
  file: 'contenders/oncehook-inline.mjs',
  counts: [
    `select count(*) from oncehook.receipts where status = 'processed'`,
    'select count(*) from effects',
    'select count(distinct event_id) from effects',
  ],
  tables: ['effects', ...oncehookTables],
}
