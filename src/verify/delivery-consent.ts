import type { Handshake } from './provider-declaration.ts'

/**
 * Agrees to deliveries from whoever asks with OPTIONS, as the CloudEvents webhook specification has it. Consent proves nothing
 * about the sender: each delivery still has to.
 */
export function deliveryConsent({ origins }: { readonly origins?: readonly string[] | undefined } = {}): Handshake {
  return ({ delivery: { method }, headers }) => {
    if (method !== 'OPTIONS') return undefined
    const origin = headers.get('webhook-request-origin') ?? ''
    if (!/^[\w.*:-]{1,255}$/.test(origin)) {
      return { kind: 'malformed', detail: 'The header WebHook-Request-Origin with the name of the sender is expected.' }
    }
    if (origins?.includes(origin) === false) {
      return { kind: 'malformed', detail: 'WebHook-Request-Origin is not among the configured origins.' }
    }
    return { status: 200, headers: { allow: 'POST', 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' } }
  }
}
