import { requestMetrics, type Section } from '../section.ts'
import { bareInline, bareInlineShared, oncehookInline, oncehookInlineShared, seedInline } from '../servers.ts'
import { serveContenders } from './serve-contenders.ts'

const contenders = [bareInline, bareInlineShared, seedInline, oncehookInline, oncehookInlineShared]

/** The handler's row and the record of the event in one transaction, before the answer. */
export const inline: Section = {
  name: 'inline',
  title: 'Inline: a one-row effect before the answer',
  metrics: requestMetrics,
  contenders,
  baseline: seedInline.key,
  run: serveContenders(contenders, ({ inlineConnections }) => inlineConnections),
}
