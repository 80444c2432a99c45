import type { PostOptions } from '../targets/http-post.ts'
import { readUrl } from '../targets/http-post.ts'
import type { Automation } from './automation.ts'
import { type AutomationPlace, automationMistakes } from './check-automation.ts'
import type { StripTypes } from './compile-code.ts'

/** Chains of steps on events and captured requests: the option `automations`. */
export type AutomationOptions = {
  /** By name. What stands here cannot be changed by hand. */
  readonly define?: Readonly<Record<string, Automation>>
  /** Whether steps may have code. Default `on`; only admins may set it. */
  readonly code?: 'on' | 'off'
  /** What `{{secret.NAME}}` in headers of forward steps stands for. */
  readonly secrets?: Readonly<Record<string, string>>
  /** Where forward steps may send to, besides public addresses by https. */
  readonly forward?: Pick<
    PostOptions,
    'allowPrivateAddresses' | 'allowInsecure' | 'timeoutSeconds' | 'concurrency' | 'trustedCertificates'
  >
  /** How long runs are kept. Default 14. */
  readonly keepRunDays?: number
  /** Takes types out of code, where Node cannot. */
  readonly stripTypes?: StripTypes
}

const known = ['define', 'code', 'secrets', 'forward', 'keepRunDays', 'stripTypes']

/** Every mistake in the option, each with its path. */
export function automationOptionMistakes(given: unknown, sources: readonly string[]): readonly string[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return ['automations is not an object: give { define }.']
  const options = given as AutomationOptions
  const mistakes = Object.keys(options).flatMap((name) =>
    known.includes(name) ? [] : [`automations.${name} is no setting; there are: ${known.join(', ')}.`],
  )
  const { code = 'on', keepRunDays = 14, secrets = {}, define = {} } = options
  if (code !== 'on' && code !== 'off') mistakes.push("automations.code is not 'on' or 'off'.")
  if (!(typeof keepRunDays === 'number' && keepRunDays > 0 && keepRunDays <= 3650)) {
    mistakes.push('automations.keepRunDays is not a number above 0 and up to 3650.')
  }
  for (const [name, secret] of Object.entries(secrets)) {
    if (!/^[\w-]{1,100}$/.test(name))
      mistakes.push(`automations.secrets has a name that is not letters, digits, "_" and "-".`)
    if (typeof secret !== 'string' || secret === '') mistakes.push(`automations.secrets.${name} is empty.`)
  }
  for (const [name, automation] of Object.entries(define)) {
    const place = placeOf(options, sources)
    mistakes.push(
      ...automationMistakes(name, automation, place).map((mistake) => `automations.define.${name}: ${mistake}`),
    )
  }
  return mistakes
}

/** What automations may name and do under these options. */
export function placeOf(options: AutomationOptions, sources: readonly string[]): AutomationPlace {
  const { code = 'on', secrets = {}, forward = {} } = options
  return {
    sources,
    code,
    secrets: Object.keys(secrets),
    urlMistake(url) {
      try {
        readUrl(url, forward, 'it')
        return undefined
      } catch (error) {
        return `cannot be sent to: ${error instanceof Error ? error.message : 'unknown'}`
      }
    },
  }
}
