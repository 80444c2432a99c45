import { type Chain, lastCall, type Recogniser, wordsOf } from '../run/chain.ts'
import { emit, openTransactions } from '../run/machine.ts'
import { memberNamed, textOf, unknown, type Value } from '../run/value.ts'

const changing = /^(?:post|put|patch|delete|del|request)$/i

/** Calls that change something elsewhere: requests that are not for reading, e-mails, messages, other people's APIs. */
export const foreignCalls: Recogniser = (machine, chain) => {
  const found = foreign(chain)
  if (found === undefined) return undefined
  const values = chain.links.flatMap((link) => link.values ?? [])
  // With a key the receiver drops what it has had already. Through the transaction it is no foreign call at all.
  const isSafe = values.some((value) => mentionsKey(value) || joinsTransaction(value))
  if (!isSafe) emit(machine, chain.node, { kind: 'foreign', ...found, open: openTransactions(machine) })
  return { ...unknown, label: undefined }
}

type Foreign = { readonly what: string; readonly isQueue: boolean }

function foreign(chain: Chain): Foreign | undefined {
  const last = lastCall(chain)
  if (last === undefined) return undefined
  const words = wordsOf(chain)
  const name = last.name ?? chain.rootName ?? ''
  if (isRequest(chain, name)) return { what: words, isQueue: false }
  if (/^(?:sendMail|sendEmail|sendSms|sendSMS|sendTemplateEmail|postMessage|sendMultiple)$/.test(name))
    return { what: words, isQueue: false }
  if (
    name === 'send' &&
    /mail|resend\.emails|sgMail|postmark|sendgrid|mailer|ses\b|twilio|slack|push|notif/i.test(words)
  )
    return { what: words, isQueue: false }
  if (
    /^(?:create|update|del|cancel|capture|confirm|refund|pay|finalizeInvoice|sendInvoice|trigger)$/.test(name) &&
    /^(?:this\.)?_?(?:stripe|twilio|paddle|octokit|pusher|shopify|hubspot|sendgrid|resend|openai|slack)(?:Client|Api)?\./i.test(
      words,
    )
  )
    return { what: words, isQueue: false }
  return isPublish(name, words) ? { what: words, isQueue: true } : undefined
}

/** `fetch(url)` alone only reads. */
function isRequest({ rootName, links }: Chain, name: string): boolean {
  const values = links[0]?.values ?? []
  if (rootName === 'fetch' && links[0]?.name === undefined) return isChange(memberNamed(values[1], 'method'))
  if (!/^(?:axios|got|ky|superagent|needle|request|undici)$/.test(rootName ?? '')) return false
  if (links[0]?.name !== undefined)
    return changing.test(name) && name !== 'request' ? true : isChange(memberNamed(values.at(-1), 'method'))
  return values.some((value) => isChange(memberNamed(value, 'method')))
}

function isChange(method: Value | undefined): boolean {
  const text = textOf(method)
  return text !== undefined && changing.test(text)
}

function isPublish(name: string, words: string): boolean {
  if (/^(?:publish|sendToQueue|publishMessage|sendMessage|enqueue|produce|sendBatch|putEvents|addBulk)$/.test(name))
    return true
  if (/^(?:add|push|send|schedule|trigger|dispatch)$/.test(name))
    return /queue|producer|sqs|sns|kafka|boss|inngest|qstash|jobs?\b|eventBridge/i.test(words)
  return false
}

function mentionsKey(value: Value): boolean {
  const entries = [...(value.members ?? [])]
  return (
    entries.some(([name, part]) => /idempoten|jobId|dedup|MessageDeduplicationId/i.test(name) || mentionsKey(part)) ||
    (value.items ?? []).some(mentionsKey)
  )
}

function joinsTransaction(value: Value): boolean {
  return value.transaction !== undefined || [...(value.members?.values() ?? [])].some(joinsTransaction)
}
