import type { Difference } from '../adapter.ts'
import { notUtf8 } from './body.ts'
import { emptyEntry, joinedHeaders, manySignatures, repeatedHeader } from './signature.ts'
import { timestampAsWritten } from './timestamp.ts'

/** What all readers of Standard Webhooks share that stand on its reference library. */
export const standardWebhooksDifferences: readonly Difference[] = [
  notUtf8,
  joinedHeaders,
  repeatedHeader,
  manySignatures,
  emptyEntry,
  timestampAsWritten,
]
