import { inspect } from 'node:util'
import type { Receipt, TimelineEntry } from '../index.ts'

/** A receipt's life, for the failure of a test. */
export function describeTimeline(receipt: Receipt, timeline: readonly TimelineEntry[]): string {
  const { source, eventId, type, status, attempts, deliveries, lastError } = receipt
  const counts = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}`
  const head = `${source} event ${eventId} (${type}) is ${status}: ${counts}${lastError === undefined ? '' : `, ${lastError}`}`
  return [head, ...timeline.map((entry) => `  ${entry.at.toISOString()}  ${describeEntry(entry)}`)].join('\n')
}

function describeEntry(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'received':
      return 'received'
    case 'delivery':
      return `delivered again: ${entry.delivery.kind}, answered with ${entry.delivery.status}`
    case 'attempt': {
      const { attempt, handler, outcome, error } = entry.attempt
      return `attempt ${attempt} of ${handler}: ${outcome}${error === undefined ? '' : `, ${error}`}`
    }
    case 'effect':
      return `once ${entry.key}, by ${entry.handler}`
    case 'version':
      return `version ${entry.version} of ${entry.key}`
    case 'message':
      return `message to ${entry.message.target}: ${entry.message.status}`
    case 'replay':
    case 'hold':
    case 'release':
      return `${entry.kind} by ${entry.by}: ${entry.why}`
  }
}

const mostRows = 10

export function showRows(rows: readonly unknown[]): string {
  const shown = rows.slice(0, mostRows).map((row) => `  ${inspect(row, { breakLength: Number.POSITIVE_INFINITY })}`)
  const rest = rows.length - shown.length
  return [...shown, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join('\n')
}
