import type { Rule } from '../finding.ts'
import { has, type Value } from '../run/value.ts'

/** How long `===` takes tells how much of a guess was right. */
export const nonConstantTimeComparison: Rule = {
  name: 'non-constant-time-comparison',
  severity: 'warning',
  title: 'Comparison that is not constant-time',
  cure: 'Compare buffers of equal length with timingSafeEqual of node:crypto.',
  link: 'docs/audit.md#non-constant-time-comparison',
  find: ({ traces }) =>
    traces.flatMap(({ steps, isWebhook }) =>
      steps.flatMap((step) => {
        if (step.kind !== 'compare' || !isOfSecrets(step.left, step.right, isWebhook)) return []
        const story =
          'This comparison ends at the first character that differs, so its time tells a stranger how much of a forged signature is right.'
        return [{ node: step.node, file: step.file, story }]
      }),
    ),
}

/** A computed signature beside a given one, or a header that is itself the secret beside that secret. Two computed ones are as good as random. */
function isOfSecrets(left: Value, right: Value, isWebhook: boolean): boolean {
  return isPair(left, right, isWebhook) || isPair(right, left, isWebhook)
}

function isPair(one: Value, other: Value, isWebhook: boolean): boolean {
  if (has(one, 'digest')) return !has(other, 'digest') && (isWebhook || has(other, 'signature', 'token'))
  return has(one, 'signature', ...(isWebhook ? (['token'] as const) : [])) && has(other, 'secret')
}
