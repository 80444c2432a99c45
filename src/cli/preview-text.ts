import type { EffectNote, HandlerPreview, ReplayPreview } from '../index.ts'
import type { Colour, Paint } from './colour.ts'
import { printable, shortened } from './printable.ts'
import { plural } from './start-texts.ts'
import { drawTable } from './table.ts'

const columns = [
  { title: 'receipt', align: 'right' },
  { title: 'source' },
  { title: 'type' },
  { title: 'event' },
  { title: 'handler' },
  { title: 'would' },
  { title: 'detail' },
] as const

/** What a replay would do: a line for each receipt and handler, one more for each further detail, and the sum. */
export function previewText(previews: readonly ReplayPreview[], paint: Paint): string {
  const rows = previews.flatMap((preview) => rowsOf(preview, paint))
  const sum = `${plural(previews.length, 'receipt')}${countsOf(previews)}. Nothing was changed.`
  return rows.length === 0 ? sum : `${drawTable(columns, rows)}\n\n${sum}`
}

function rowsOf(
  { receiptId, source, type, eventId, redacted, handlers }: ReplayPreview,
  paint: Paint,
): readonly string[][] {
  const receipt = [
    receiptId,
    printable(source),
    shortened(printable(type), 40),
    shortened(printable(eventId), 40),
  ] as const
  if (handlers.length === 0) return [[...receipt, '-', paint('dim', 'nothing'), 'there is no handler left to run']]
  const missing = redacted.length === 0 ? [] : [`not stored, so not seen: ${redacted.map(printable).join(', ')}`]
  return handlers.flatMap((handler, index) => {
    const remarks = index === 0 ? missing.map((text) => paint('yellow', text)) : []
    const [first = '', ...others] = [...detailsOf(handler, paint), ...remarks]
    const { would } = handler
    const lead = index === 0 ? receipt : ['', '', '', '']
    return [
      [...lead, printable(handler.handler), paint(colours[would], words[would]), first],
      ...others.map((detail) => ['', '', '', '', '', '', detail]),
    ]
  })
}

const words: Readonly<Record<HandlerPreview['would'], string>> = {
  succeed: 'succeed',
  fail: 'fail',
  defer: 'defer',
  end_stale: 'end stale',
  same_change: 'not run',
}

const colours: Readonly<Record<HandlerPreview['would'], Colour>> = {
  succeed: 'green',
  fail: 'red',
  defer: 'cyan',
  end_stale: 'dim',
  same_change: 'dim',
}

function detailsOf({ would, reason, effects }: HandlerPreview, paint: Paint): readonly string[] {
  const remark = reason === undefined ? [] : [paint(colours[would], shortened(printable(reason), 120))]
  return [...remark, ...effects.map((note) => effectText(note, paint))]
}

function effectText(note: EffectNote, paint: Paint): string {
  const key = printable(note.key)
  switch (note.kind) {
    case 'effect':
      return note.outcome === 'applied'
        ? paint('green', `apply effect ${key}`)
        : paint('dim', `skip effect ${key}: it was applied before`)
    case 'version':
      return note.outcome === 'applied'
        ? paint('green', `raise ${key} to version ${printable(note.version)}`)
        : paint('dim', `skip version ${printable(note.version)} of ${key}: a newer one was seen`)
    case 'change':
      return paint('dim', `another event has told of the same change: ${key}`)
    case 'message':
      return note.outcome === 'added'
        ? paint('green', `add message to ${printable(note.target)} with key ${key}`)
        : paint('dim', `skip message to ${printable(note.target)}: one with key ${key} was added before`)
    case 'value':
      return valueText(note, paint)
  }
}

function valueText({ namespace, key, outcome }: Extract<EffectNote, { kind: 'value' }>, paint: Paint): string {
  const place = `${printable(key)} in ${printable(namespace)}`
  if (outcome === 'kept') return paint('dim', `leave value ${place} as it is`)
  return paint('green', `${outcome === 'stored' ? 'store' : 'delete'} value ${place}`)
}

/** As in `: 2 handlers would succeed, 1 would fail`. */
function countsOf(previews: readonly ReplayPreview[]): string {
  const all = previews.flatMap(({ handlers }) => handlers.map(({ would }) => would))
  const counts = Object.keys(words).flatMap((name) => {
    const count = all.filter((would) => would === name).length
    return count === 0 ? [] : [{ count, word: words[name as HandlerPreview['would']] }]
  })
  const texts = counts.map(({ count, word }, index) => {
    const subject = index === 0 ? plural(count, 'handler') : String(count)
    return word === words.same_change ? `${subject} would not run` : `${subject} would ${word}`
  })
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`
}
