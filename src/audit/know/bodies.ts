import { type Chain, lastCall, type Recogniser } from '../run/chain.ts'
import type { Machine } from '../run/machine.ts'
import { has, holds, tagged, textOf, unknown, type Value, withTags } from '../run/value.ts'
import { connectionOf } from './connections.ts'
import { tagsOfHeader } from './names.ts'

/** How requests are read: bytes, text, JSON, headers; and what becomes of a body on the way. */
export const bodiesAndHeaders: Recogniser = (machine, chain) => {
  const last = lastCall(chain)
  const name = last?.name ?? chain.rootName
  const first = last?.values?.[0]
  if (last === undefined || chain.links.at(-1) !== last) return undefined
  if (chain.rootName === 'JSON' && first !== undefined) return json(name, first)
  if (chain.rootName === 'Buffer' && first !== undefined && (name === 'from' || name === 'concat')) return copied(first)
  if (/^(?:String|Boolean|Number)$/.test(name ?? '') && last.name === undefined && first !== undefined)
    return { ...first, label: undefined }
  if (/^(?:rawBody|getRawBody|buffer|readBody|readRawBody|text|raw)$/i.test(name ?? '') && last.name === undefined)
    return has(first, 'request') ? tagged('raw-body') : undefined
  if (name === 'headers' && last.name === undefined && chain.root.label?.includes('next/headers') === true)
    return tagged('headers')
  return ofRequest(machine, chain, { name, first })
}

function json(name: string | undefined, first: Value): Value {
  if (name === 'parse')
    return has(first, 'raw-body', 'request-body') ? tagged('event', 'parsed-body') : tagged('event-part')
  const isBody = has(first, 'parsed-body', 'request-body')
  return isBody ? tagged('written-again', 'event') : { ...unknown, tags: new Set(first.tags) }
}

function copied(first: Value): Value {
  const parts = first.items ?? [first]
  return { ...unknown, tags: new Set(parts.flatMap((part) => [...part.tags])) }
}

type Asked = { readonly name: string | undefined; readonly first: Value | undefined }

function ofRequest(machine: Machine, chain: Chain, { name, first }: Asked): Value | undefined {
  const holder = connectionOf(machine, chain)
  const header = textOf(first)
  if (has(holder, 'headers') && name === 'get' && header !== undefined) return tagged(...tagsOfHeader(header))
  if (!has(holder, 'request')) return undefined
  if ((name === 'get' || name === 'header') && header !== undefined) return tagged(...tagsOfHeader(header))
  if (name === 'header') return tagged('headers')
  if (name === 'json' && holds(holder, 'request') && (first === undefined || first.members === undefined))
    return tagged('event', 'parsed-body')
  if (name === 'text' || name === 'arrayBuffer' || name === 'bytes' || name === 'blob') return tagged('raw-body')
  if (name === 'clone') return withTags(holder, 'request')
  return undefined
}
