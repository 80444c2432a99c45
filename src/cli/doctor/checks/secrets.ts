import { printable } from '../../printable.ts'
import type { Check, Finding } from '../check.ts'
import { isOfStripeCommandLine, isPlaceholder, otherThingOf, sideOf, wrappingOf } from '../secret-shapes.ts'
import type { FoundSecret } from '../secrets.ts'

/** Looks at values and names only variables. */
export const secretsCheck: Check = {
  name: 'secrets',
  run({ secrets }) {
    const ofWebhooks = secrets.filter(({ isForWebhooks }) => isForWebhooks)
    return [...secrets.flatMap(sideFindings), ...ofWebhooks.flatMap(formFindings), ...sharedFindings(ofWebhooks)]
  },
}

function nameOf({ variable, place }: FoundSecret): string {
  return `${printable(variable)} in ${printable(place)}`
}

/** Keys of an API too: whoever has the test mode's key in production has its webhook secret there as well. */
function sideFindings(secret: FoundSecret): readonly Finding[] {
  const side = sideOf(secret.value)
  if (side === 'test' && secret.stage === 'production') {
    return [
      {
        severity: 'error',
        fact: `${nameOf(secret)} is of a test mode, and this is production.`,
        cure: 'Put the live one there, and the live endpoint’s own webhook secret with it.',
      },
    ]
  }
  if (side !== 'live' || secret.stage === undefined || secret.stage === 'production') return []
  return [
    {
      severity: 'warning',
      fact: `${nameOf(secret)} is of the live mode, and this is ${secret.stage}.`,
      cure: 'Use the test mode’s own there, and make the live one anew if others could read it.',
    },
  ]
}

/** The first thing that is wrong with a value explains the rest. */
function formFindings(secret: FoundSecret): readonly Finding[] {
  const { variable, value, provider, stage, isDemo } = secret
  const wrapping = wrappingOf(value)
  if (wrapping !== undefined) {
    return [
      {
        severity: 'error',
        fact: `${nameOf(secret)} has ${wrapping}, which is taken for a part of it: no signature fits.`,
        cure: 'Set it again without that.',
      },
    ]
  }
  if (isPlaceholder(value)) {
    return [
      {
        severity: 'error',
        fact: `${nameOf(secret)} is a placeholder, which anybody can guess.`,
        cure: 'Put the secret there that the provider shows for this endpoint.',
      },
    ]
  }
  const other = otherThingOf(value, variable)
  if (other !== undefined) {
    return [
      {
        severity: 'error',
        fact: `${nameOf(secret)} looks like ${other}, not like a webhook's secret.`,
        cure: 'Put the signing secret there that the provider shows for this endpoint.',
      },
    ]
  }
  if (stage !== 'production' || !(isDemo || (provider === 'stripe' && isOfStripeCommandLine(value)))) return []
  return [
    {
      severity: 'error',
      fact: isDemo
        ? `${nameOf(secret)} is a demo secret of "oncehook start", and this is production.`
        : `${nameOf(secret)} has the form that "stripe listen" prints on a developer's machine, and this is production.`,
      cure: 'Put the secret there that the provider shows for this endpoint.',
    },
  ]
}

/** Whoever learns one of two equal secrets can sign for the other. Equal ones of one source and stage are one secret under two names. */
function sharedFindings(secrets: readonly FoundSecret[]): readonly Finding[] {
  const findings: Finding[] = []
  secrets.forEach((one, index) => {
    const twin = secrets
      .slice(index + 1)
      .find(
        (other) =>
          other.value === one.value &&
          !isPlaceholder(other.value) &&
          (isOtherSource(one, other) || isOtherStage(one, other)),
      )
    if (twin === undefined) return
    findings.push({
      severity: 'error',
      fact: `${nameOf(one)} and ${nameOf(twin)} are the same secret: what is signed for one ${isOtherSource(one, twin) ? 'source' : 'stage'} passes at the other.`,
      cure: 'Make an endpoint of its own for each, with a secret of its own.',
    })
  })
  return findings
}

function isOtherSource(one: FoundSecret, other: FoundSecret): boolean {
  return one.provider !== undefined && other.provider !== undefined && one.provider !== other.provider
}

function isOtherStage(one: FoundSecret, other: FoundSecret): boolean {
  return one.stage !== undefined && other.stage !== undefined && one.stage !== other.stage
}
