import { plainTextAnswer } from './answers.ts'
import { isSameText } from './bytes.ts'
import type { Handshake, ProviderDeclaration } from './provider-declaration.ts'
import { queryValue } from './url.ts'

/** What every product of Meta can be told beyond the common options. */
export type MetaSubscriptionOptions = {
  /** The verify token of the app's webhook settings, for the handshake. Without it Meta cannot subscribe this address. */
  readonly verifyToken?: string | undefined
}

/** The part of a declaration that lets Meta subscribe this address: it asks with a GET, and the answer proves that we know the token. */
export function metaSubscription({
  verifyToken,
}: MetaSubscriptionOptions): Pick<
  ProviderDeclaration,
  'methods' | 'handshakes' | 'handshakeGuide' | 'ownOptions' | 'mistakes'
> {
  return {
    methods: ['POST', 'GET'],
    handshakes: { before_verification: subscription(verifyToken) },
    handshakeGuide: 'a GET with hub.mode, hub.verify_token and hub.challenge; the challenge is answered as plain text',
    ownOptions: {
      verifyToken: 'the verify token of the app’s webhook settings; without it Meta cannot subscribe this address',
    },
    mistakes: ['', 'undefined', 'null'].includes(verifyToken?.trim() ?? 'none') ? ['"verifyToken" is empty.'] : [],
  }
}

/** Meta proves nothing at the handshake: it is we who prove, by knowing the token. */
function subscription(verifyToken: string | undefined): Handshake {
  return ({ delivery: { method, url } }) => {
    if (method !== 'GET') return undefined
    const [mode, given, challenge] = ['mode', 'verify_token', 'challenge'].map((name) => queryValue(url, `hub.${name}`))
    if (mode !== 'subscribe' || given === undefined || challenge === undefined) {
      return { kind: 'malformed', detail: 'hub.mode, hub.verify_token and hub.challenge are expected, each once.' }
    }
    if (verifyToken === undefined) return { kind: 'malformed', detail: 'No verifyToken is configured for this source.' }
    if (!isSameText(given, verifyToken))
      return { kind: 'malformed', detail: 'hub.verify_token is not the configured one.' }
    return plainTextAnswer(challenge)
  }
}
