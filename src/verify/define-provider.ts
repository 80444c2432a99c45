import type { KeyObject } from 'node:crypto'
import { type Delivery, type DeliveryInput, toDelivery } from '../delivery/delivery.ts'
import { invalidOptions } from '../errors.ts'
import { identifyEvents, withIdentity } from './identity.ts'
import { type IncomingReader, readIncoming } from './incoming.ts'
import { wantMembers } from './json-members.ts'
import type { Provider, ProviderFacts } from './provider.ts'
import type { HandshakeAnswer, ProviderDeclaration } from './provider-declaration.ts'
import { factsOf } from './provider-facts.ts'
import { type OptionLimits, optionMistakes, type ProviderOptions, readSettings } from './provider-options.ts'
import { idText } from './safe-id.ts'
import type { Scheme } from './scheme.ts'
import { secretListOf } from './secret-list.ts'
import { onlyKeys, readKeys, type SourceKeys } from './secrets.ts'
import { signer } from './sign-event.ts'
import { ofTenant } from './tenant.ts'
import { asCalled } from './url.ts'
import type { Malformed, Verdict } from './verdict.ts'
import { verifyDelivery } from './verify-delivery.ts'

/** A provider from its declaration; where the provider has options of its own, from a function of them. */
export function defineProvider<OwnOptions extends object = object>(
  declaration: ProviderDeclaration | ((options: ProviderOptions & OwnOptions) => ProviderDeclaration),
): (options: ProviderOptions & OwnOptions) => Provider {
  return (options) => {
    const given = options ?? ({} as ProviderOptions & OwnOptions)
    return makeProvider(typeof declaration === 'function' ? declaration(given) : declaration, given)
  }
}

function makeProvider(declaration: ProviderDeclaration, options: ProviderOptions): Provider {
  const { name, scheme } = declaration
  const facts = factsOf(declaration, options)
  const limits: OptionLimits = {
    ...facts,
    toleranceSeconds: scheme.toleranceSeconds,
    fetchesKeys: scheme.keySource !== undefined,
    isDocumentRead: declaration.readDocument !== undefined,
    ownOptions: Object.keys(facts.ownOptions),
  }
  const keys = readKeys(name, scheme, options)
  const mistakes = [...keys.mistakes, ...optionMistakes(options, limits), ...(declaration.mistakes ?? [])]
  if (mistakes.length > 0) throw invalidOptions(`The source ${name}`, mistakes)

  const settings = readSettings(options, limits)
  const isUnverified = options.unverified === true
  const seen = (input: DeliveryInput): Delivery => {
    const delivery = toDelivery(input)
    return scheme.isUrlSigned && settings.publicUrl !== undefined
      ? { ...delivery, url: asCalled(delivery.url, settings.publicUrl) }
      : delivery
  }
  return {
    name,
    facts,
    settings,
    warnings: warningsOf(declaration, options, keys),
    methods: declaration.methods ?? ['POST'],
    proof: { headers: scheme.proofHeaders, paths: scheme.proofPaths ?? [] },
    refusalStatus: declaration.refusalStatus ?? {},
    ...(keys.fixed !== undefined && { secretList: secretListOf(name, keys.fixed) }),
    hideSecrets: keys.hide,
    secretsFor: (delivery) => keys.keysFor(toDelivery(delivery)),
    verify: verifier({ scheme, keys, seen, isUnverified, facts }),
    ...readersOf(declaration, options, keys),
    sign: signer({ declaration, keys, publicUrl: settings.publicUrl, isUnverified }),
  }
}

function readersOf(
  declaration: ProviderDeclaration,
  { identity, tenant }: ProviderOptions,
  keys: SourceKeys,
): Pick<Provider, 'identify' | 'tenantOf' | 'handshake' | 'readDocument' | 'answer'> {
  const read = sharedReader(declaration)
  const identify = identity === undefined ? declaration.identify : withIdentity(declaration.identify, identity)
  const idField = identity === undefined ? (declaration.idField ?? 'id') : 'by the option "identity"'
  // A user's own identity may ask for anything.
  const wanted = identity === undefined && declaration.reads ? wantMembers(declaration.reads) : undefined
  return {
    identify: (input, passed) =>
      guarded(() => {
        const delivery = toDelivery(input)
        const incoming = wanted === undefined ? read(delivery) : read(delivery).withOnly(wanted, passed)
        const events = identifyEvents(incoming, identify, idField)
        return tenant === undefined ? events : ofTenant(events, tenant(delivery))
      }, 'The events could not be read.'),
    tenantOf: (input) => idText(guarded(() => tenant?.(toDelivery(input)), 'The tenant could not be read.')),
    handshake: (input, stage, secrets) => {
      const handshake = declaration.handshakes?.[stage]
      if (handshake === undefined) return undefined
      const delivery = toDelivery(input)
      const keysOf = () => (secrets === undefined ? keys.keysFor(delivery) : onlyKeys(secrets))
      const answer = guarded(() => handshake(read(delivery), keysOf), unreadableHandshake)
      return answer instanceof Promise ? answer.catch(() => unreadableGreeting) : answer
    },
    readDocument: documentReader(declaration),
    answer: (delivery, situation) => {
      if (declaration.answer === undefined) return undefined
      const answer = guarded(() => declaration.answer?.(read(toDelivery(delivery)), situation), '')
      return answer !== undefined && 'kind' in answer ? undefined : answer
    },
  }
}

function warningsOf(
  { name, warnings = [] }: ProviderDeclaration,
  options: ProviderOptions,
  keys: SourceKeys,
): readonly string[] {
  const unverified =
    options.unverified === true
      ? [`NOT VERIFIED: the source ${name} believes anybody who knows its address (unverified: true).`]
      : []
  const { identity, secret, tenant } = options
  const risk = typeof identity === 'object' ? [identity.risk] : []
  const shared = typeof secret === 'function' && tenant === undefined ? [sharedIds] : []
  return [...unverified, ...keys.warnings, ...warnings, ...risk, ...shared]
}

const unreadableHandshake = 'The handshake could not be read.'
const unreadableGreeting: HandshakeAnswer = { kind: 'malformed', detail: unreadableHandshake }

const sharedIds =
  'secrets are looked up for each delivery, but all tenants share one set of event ids: ' +
  'give the option "tenant", so that none can use up the id of another\'s event.'

/** Examining a mismatch costs a dozen hashes, so a flood of forgeries gets it only this often. */
const examinationsPerSecond = 10

function verifier({
  scheme,
  keys,
  seen,
  isUnverified,
  facts,
}: {
  readonly scheme: Scheme
  readonly keys: SourceKeys
  readonly seen: (input: DeliveryInput) => Delivery
  readonly isUnverified: boolean
  readonly facts: ProviderFacts
}): Provider['verify'] {
  let second = Number.NaN
  let examinations = 0
  return (input, at, secrets) =>
    guarded((): Verdict => {
      if (isUnverified) return { kind: 'authentic', secretIndex: 0 }
      const delivery = seen(input)
      let found: readonly KeyObject[] | Promise<readonly KeyObject[]> = []
      const verdict = verifyDelivery({
        scheme,
        delivery,
        at,
        toleranceSeconds: facts.toleranceSeconds,
        keys: () => {
          found = secrets === undefined ? keys.keysFor(delivery) : onlyKeys(secrets)
          return found instanceof Promise ? [] : found
        },
        mayExamine: () => {
          const now = Math.floor(at.getTime() / 1000)
          examinations = now === second ? examinations + 1 : 1
          second = now
          return examinations <= examinationsPerSecond
        },
      })
      if (!(found instanceof Promise)) return verdict
      found.catch(() => undefined)
      return { kind: 'forged', reason: 'secret_unknown', hint: lookUpNotAwaited }
    }, 'The request could not be read.')
}

const lookUpNotAwaited =
  'The secret is looked up asynchronously: await secretsFor(delivery) and hand the result to verify.'

function documentReader({ readDocument }: ProviderDeclaration): Provider['readDocument'] {
  if (readDocument === undefined) return undefined
  return (delivery) => guarded(() => readDocument(toDelivery(delivery), 'plain'), 'The document could not be read.')
}

/** The stages of one delivery share what was parsed of it: they follow each other, so that it is enough to remember the last. */
function sharedReader(declaration: ProviderDeclaration): (delivery: Delivery) => IncomingReader {
  let last: IncomingReader | undefined
  return (delivery) => {
    if (last?.delivery !== delivery) last = readIncoming(delivery, declaration)
    return last
  }
}

/** The boundary past which no request, however odd, makes anything throw. */
function guarded<Result>(work: () => Result, detail: string): Result | Malformed {
  try {
    return work()
  } catch {
    return { kind: 'malformed', detail }
  }
}
