import type { ProviderFacts } from './provider.ts'
import type { ProviderDeclaration } from './provider-declaration.ts'
import type { Scheme } from './scheme.ts'

/** The facts of a declaration, every default in place. */
export function factsOf(
  declaration: ProviderDeclaration,
  { toleranceSeconds }: { readonly toleranceSeconds?: number | undefined },
): ProviderFacts {
  const { name, scheme, retryHours, manualReplayDays } = declaration
  return {
    title: declaration.title ?? name,
    documentation: declaration.documentation ?? '',
    confidence: declaration.confidence,
    uncertain: declaration.uncertain ?? [],
    scheme: scheme.describe,
    isBodySigned: scheme.isBodySigned,
    isUrlSigned: scheme.isUrlSigned,
    weaknesses: weaknessesOf(scheme, declaration),
    idField: declaration.idField ?? 'id',
    identityAdvice: declaration.identityAdvice,
    isBatch: declaration.isBatch ?? false,
    order: declaration.order,
    surprises: declaration.surprises ?? [],
    retryHours,
    retrySchedule: declaration.retrySchedule,
    sending: declaration.sending ?? {},
    isFailureRetried: declaration.isFailureRetried ?? retryHours !== 0,
    manualReplayDays,
    deadlineSeconds: declaration.deadlineSeconds,
    successStatus: declaration.successStatus ?? '2xx',
    handshakeGuide: declaration.handshakeGuide,
    toleranceSeconds: scheme.toleranceSeconds === undefined ? undefined : (toleranceSeconds ?? scheme.toleranceSeconds),
    maximumBodyBytes: declaration.maximumBodyBytes ?? 1024 * 1024,
    isIdSigned: declaration.isIdSigned ?? false,
    ...retentionOf(declaration),
    ownOptions: declaration.ownOptions ?? {},
  }
}

/** Shorter would save little, and incidents make every provider send again later than it says. */
const shortestDefaultDays = 14

/** For windows that nobody documents: longer than any that is known, but for two that are documented. */
const carefulDays = 60

/** How long receipts are kept by default, and whether that stands on documented figures. */
function retentionOf({
  retryHours,
  manualReplayDays,
}: Pick<ProviderDeclaration, 'retryHours' | 'manualReplayDays'>): Pick<
  ProviderFacts,
  'keepDays' | 'isRetryWindowKnown'
> {
  return { keepDays: defaultKeepDays({ retryHours, manualReplayDays }), isRetryWindowKnown: retryHours !== undefined }
}

type Windows = { readonly retryHours?: number | undefined; readonly manualReplayDays?: number | undefined }

export function defaultKeepDays(windows: Windows): number {
  return Math.max(
    Math.ceil(leastKeepDays(windows)),
    windows.retryHours === undefined ? carefulDays : shortestDefaultDays,
  )
}

/** Twice as long as an event can be sent again, as far as is known. */
export function leastKeepDays({ retryHours, manualReplayDays }: Windows): number {
  const longest = Math.max((retryHours ?? 0) / 24, manualReplayDays ?? 0)
  return Math.ceil(longest * 2 * 100) / 100
}

function weaknessesOf(scheme: Scheme, { weaknesses = [] }: ProviderDeclaration): readonly string[] {
  const uncovered = scheme.isBodySigned ? [] : [bodyNotCovered]
  return [...uncovered, ...(scheme.weaknesses ?? []), ...weaknesses]
}

const bodyNotCovered =
  'The proof does not cover the body: whoever learns it can send any content. Read the object from the API before anything that matters.'
