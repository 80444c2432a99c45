/** For machines. */
export const jsonOption = {
  json: { type: 'boolean', meaning: 'JSON on standard output, and nothing else there' },
} as const

/** Which database is meant. */
export const storeOptions = {
  database: {
    type: 'string',
    value: 'url',
    meaning: 'a PostgreSQL database; default $DATABASE_URL, else ./.oncehook/data',
  },
  schema: { type: 'string', value: 'name', meaning: 'where the tables are; default oncehook' },
} as const

/** Which receipts of that database are meant at all. */
export const environmentOption = {
  environment: { type: 'string', value: 'name', meaning: 'the environment of the inbox; default "default"' },
} as const

/** Which receipts are meant. */
export const filterOptions = {
  source: { type: 'string', value: 'name', meaning: 'only receipts of this source' },
  status: {
    type: 'string',
    value: 'status',
    meaning: 'received, processing, processed, retrying, failed, ignored, stale or same_change; several with commas',
  },
  type: { type: 'string', value: 'type', meaning: 'only events of this type' },
  object: { type: 'string', value: 'id', meaning: 'only events about this object' },
  event: { type: 'string', value: 'id', meaning: "only the event with this id of the provider's" },
  after: { type: 'string', value: 'time', meaning: 'received after: ISO 8601, or ago as in 15m, 2h, 7d' },
  limit: { type: 'string', value: 'n', meaning: 'at most so many, newest first; default 50' },
} as const
