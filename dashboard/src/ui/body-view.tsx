import { useMemo, useState } from 'preact/hooks'
import type { HeaderList } from '../api/types.ts'
import { formatBytes } from '../logic/format.ts'
import { bytesOfBase64, hexLines } from '../logic/hex.ts'
import { parseDocument, type TreeLine, treeLines } from '../logic/json-tree.ts'
import { printable, printableLines } from '../logic/printable.ts'
import { Foreign } from './basics.tsx'
import { Icon } from './icons.tsx'
import { Empty } from './states.tsx'
import { Tabs } from './tabs.tsx'

export type ShownBody = {
  readonly bytes: number
  /** Null where the bytes are no text. */
  readonly text: string | null
  readonly base64?: string | null
  readonly isTruncated?: boolean
}

type View = 'tree' | 'text' | 'hex'

/** A body three ways: what it means, what it says, and what came. */
export function BodyView({ body }: { readonly body: ShownBody }) {
  const parsed = useMemo(() => (body.text === null ? undefined : parseDocument(body.text)), [body.text])
  const [chosen, setChosen] = useState<View | undefined>(undefined)
  const views: readonly (readonly [View, string])[] = [
    ...(parsed === undefined ? [] : [['tree', 'Tree'] as const]),
    ...(body.text === null ? [] : [['text', 'Text'] as const]),
    ...(body.base64 === undefined || body.base64 === null ? [] : [['hex', 'Bytes'] as const]),
  ]
  const view = chosen ?? views[0]?.[0] ?? 'hex'
  if (body.bytes === 0) return <Empty title="No body" />
  return (
    <div class="stack">
      <div class="row wrap">
        <Tabs label="How the body is shown" names={views} chosen={view} onChoose={setChosen} />
        <span class="small muted">
          {formatBytes(body.bytes)}
          {body.isTruncated === true && ', of which the beginning is shown'}
        </span>
      </div>
      {view === 'tree' && parsed !== undefined && <JsonTree document={parsed.document} />}
      {view === 'text' && body.text !== null && (
        <pre class="block" tabIndex={0} role="region" aria-label="Text of the body">
          {printableLines(body.text)}
        </pre>
      )}
      {view === 'hex' && <HexView base64={body.base64 ?? ''} />}
    </div>
  )
}

const mostHexBytes = 16_384

function HexView({ base64 }: { readonly base64: string }) {
  const bytes = useMemo(() => bytesOfBase64(base64), [base64])
  const text = hexLines(bytes.subarray(0, mostHexBytes))
    .map((line) => `${line.offset}  ${line.hex.padEnd(47)}  ${line.text}`)
    .join('\n')
  return (
    <pre class="block hex" tabIndex={0} role="region" aria-label="Bytes of the body">
      {text}
      {bytes.length > mostHexBytes && `\n… and ${formatBytes(bytes.length - mostHexBytes)} more`}
    </pre>
  )
}

/** A document whose branches open and close. Whatever is in it ends up in text nodes. */
export function JsonTree({ document }: { readonly document: unknown }) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const lines = useMemo(() => treeLines(document, { openDepth: 3, turned }), [document, turned])
  const turn = (path: string): void =>
    setTurned((before) => new Set(before.has(path) ? [...before].filter((one) => one !== path) : [...before, path]))
  return (
    <div class="tree" tabIndex={0} role="region" aria-label="Body as a tree">
      {lines.map((line) => (
        <TreeRow key={line.path} line={line} turn={turn} />
      ))}
    </div>
  )
}

function TreeRow({ line, turn }: { readonly line: TreeLine; readonly turn: (path: string) => void }) {
  const { path, depth, name, content } = line
  const isBranch = content.kind === 'object' || content.kind === 'array'
  return (
    <div class="tree-line" style={{ '--depth': Math.min(depth, 24) }}>
      {isBranch && content.count > 0 ? (
        <button
          type="button"
          aria-expanded={content.isOpen}
          aria-label={printable(name ?? 'document')}
          onClick={() => turn(path)}
        >
          <Icon name="chevron" />
        </button>
      ) : (
        <span class="leaf" />
      )}
      <span>
        {name !== undefined && <span class="name">{printable(name)}: </span>}
        <TreeContent content={content} />
      </span>
    </div>
  )
}

function TreeContent({ content }: { readonly content: TreeLine['content'] }) {
  switch (content.kind) {
    case 'object':
      return <span class="muted">{content.isOpen && content.count > 0 ? '{' : `{ ${content.count} }`}</span>
    case 'array':
      return <span class="muted">{content.isOpen && content.count > 0 ? '[' : `[ ${content.count} ]`}</span>
    case 'more':
      return <span class="muted">… {content.count} more</span>
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return <span class={content.kind}>{printable(content.text)}</span>
  }
}

/** Headers in the order in which they came. */
export function HeaderTable({ headers }: { readonly headers: HeaderList }) {
  if (headers.length === 0) return <p class="muted">None were kept.</p>
  return (
    <div class="scroll">
      <table class="headers">
        <thead class="hidden-text">
          <tr>
            <th>Header</th>
            <th>Value</th>
          </tr>
        </thead>
        <tbody>
          {headers.map(([name, value], index) => (
            <tr key={`${index} ${name}`}>
              <td class="mono muted">
                <Foreign text={name} />
              </td>
              <td class="mono">
                <Foreign text={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
