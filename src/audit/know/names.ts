import type { Tag } from '../run/value.ts'

const eventId =
  /^(?:(?:webhook|stripe|github|provider|external)?_?(?:event|delivery|webhook|notification)_?ids?|idempotency_?key|dedup(?:e|lication)?_?(?:key|id)|message_?sid|update_?id|x-github-delivery|x-shopify-(?:webhook|event)-id|webhook-id|svix-id|x-(?:event|delivery|webhook|request)-id)$/i

/** The names of a parameter often say what it is, where nobody can see what is given. */
export function tagsOfParameter(name: string): readonly Tag[] {
  if (eventId.test(name)) return ['event-id']
  if (/^(?:event|evt|webhookEvent|stripeEvent|webhookPayload|payload|notification)$/.test(name)) return ['event']
  if (/^raw_?body$/i.test(name)) return ['raw-body']
  if (/^(?:req|request)$/.test(name)) return ['request']
  if (/^(?:res|response|reply)$/.test(name)) return ['response']
  if (/^(?:sig|signature|signatureHeader)$/.test(name)) return ['signature']
  return []
}

/** What a header of that name is. */
export function tagsOfHeader(name: string): readonly Tag[] {
  if (/signature|hmac|x-hub-sig|webhook-(?:secret|token)/i.test(name)) return ['signature']
  if (/token|secret|api-?key|^authorization$/i.test(name)) return ['token']
  return eventId.test(name) ? ['event-id'] : []
}

/** Whether a field of an event is its identity. */
export function isIdOfEvent(name: string): boolean {
  return name === 'id' || eventId.test(name)
}

const memory =
  /processed|seen|handled|dedup|idempot|webhook_?(?:event|receipt|deliver|log|message|id)|(?:event|delivery|webhook)_?(?:log|receipt|id|key)s?$|inbox|^receipts?$|stripe_?events?|github_?(?:events?|deliver)|received_?events?/i

/** Whether a table, a model or a key sounds as if it remembers events. */
export function soundsLikeMemory(table: string): boolean {
  return memory.test(table)
}

const workVerbs =
  /^(?:handle|process|apply|fulfil|fulfill|provision|credit|charge|grant|activate|deactivate|cancel|sync|record|update|create|upsert|insert|save|store|persist|mark|send|notify|dispatch|execute|refund|issue|deliver|add|remove|increment|decrement|work|run)(?=$|[A-Z_])/

/** Whether a function that cannot be looked into does, by its name, the work of an event. */
export function soundsLikeWork(name: string): boolean {
  return workVerbs.test(name)
}

/** Whether a path or a file's name is that of a webhook. */
export function soundsLikeWebhook(text: string): boolean {
  return /web-?_?hook|\/hooks?(?:\/|\s|$)/i.test(text)
}
