import { type Delivery, toDeliveryHeaders } from '../delivery/delivery.ts'
import { OncehookError } from '../errors.ts'
import { bodyOf, type ComposedEvent, type EventToCompose, freshId, jsonEvent, toCompose } from './compose.ts'
import type { Provider } from './provider.ts'
import type { ProviderDeclaration } from './provider-declaration.ts'
import type { Scheme } from './scheme.ts'
import type { SourceKeys } from './secrets.ts'

/** Signs events as the provider would: its body and headers, then the caller's headers, then the signature. */
export function signer({
  declaration,
  keys,
  publicUrl,
  isUnverified,
}: {
  readonly declaration: ProviderDeclaration
  readonly keys: SourceKeys
  readonly publicUrl: string | undefined
  readonly isUnverified: boolean
}): Provider['sign'] {
  const { name, scheme, methods = ['POST'], compose = composePlainly } = declaration
  return (event, at) => {
    const composed = compose(toCompose(event), at)
    const delivery: Delivery = {
      method: event.method ?? methods[0] ?? 'POST',
      url: event.url ?? composed.url ?? publicUrl ?? `https://hooks.example.com/${name}`,
      headers: toDeliveryHeaders({ ...lowerCase(composed.headers), ...lowerCase(event.headers) }),
      body: bodyOf(event, composed),
    }
    if (isUnverified) return delivery
    const key = keys.signingKey(delivery)
    if (key === undefined) throw cannotSign(name, scheme)
    return scheme.sign(delivery, key, at)
  }
}

function cannotSign(name: string, { privateKey }: Scheme): OncehookError {
  const remedy = privateKey === undefined ? 'give a fixed "secret"' : 'give "privateKey" as well (in tests only)'
  return new OncehookError(
    'ONCEHOOK_CANNOT_SIGN',
    `The source ${name} has no key to sign with, only one to verify with: ${remedy}.`,
  )
}

function composePlainly({ id, type, payload }: EventToCompose): ComposedEvent {
  return jsonEvent({ id: id ?? freshId('evt_'), type: type ?? 'example.created', ...payload })
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
