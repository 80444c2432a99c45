import { causeNamed } from '../../prover/causes.ts'
import type { Rule } from '../finding.ts'
import type { Mount } from '../run/machine.ts'
import { has } from '../run/value.ts'
import type { Trace } from '../traces.ts'

const { name, title, cure, link } = causeNamed('parsed-body-verified')

/** The signature is over the bytes that came; what a parser gives back has other ones. */
export const parsedBodyVerified: Rule = {
  name,
  severity: 'error',
  title,
  cure,
  link,
  find: ({ traces, mounts }) =>
    traces.flatMap((trace) =>
      trace.steps.flatMap((step) => {
        if (step.kind !== 'verify' || step.over === undefined) return []
        const { over } = step
        const place = { node: step.node, file: step.file }
        if (has(over, 'written-again')) {
          const story =
            'The body was parsed, and is written again to be verified: spaces, the order of keys and escapes are not those that were signed, so true events are refused.'
          return [{ ...place, story }]
        }
        if (has(over, 'parsed-body') && !has(over, 'raw-body')) {
          const story = 'What is verified here is the parsed body, and not the bytes that were signed.'
          return [{ ...place, story }]
        }
        const parser = has(over, 'request-body') ? parserBefore(trace, mounts) : undefined
        if (parser === undefined) return []
        const story = `A parser of JSON is mounted before this route (line ${parser.node.loc?.start.line}), so that the body is an object here and the bytes that were signed are gone.`
        return [{ ...place, story }]
      }),
    ),
}

/** What parses bodies before they reach the route: on its own app, or on one that its router is mounted on. */
function parserBefore({ node, route }: Trace, mounts: readonly Mount[]): Mount | undefined {
  const own = mounts.findIndex(({ what }) => typeof what === 'object' && 'route' in what && what.route === node)
  const app = route?.app
  if (own === -1 || app === undefined) return undefined
  return before(mounts, own, { app, path: route?.path, depth: 0 })
}

type Seen = { readonly app: string; readonly path: string | undefined; readonly depth: number }

function before(mounts: readonly Mount[], index: number, { app, path, depth }: Seen): Mount | undefined {
  const parser = mounts
    .slice(0, index)
    .find(
      (mount) =>
        mount.what === 'parser' &&
        mount.app === app &&
        (mount.path === undefined || path?.startsWith(mount.path) === true),
    )
  if (parser !== undefined || depth > 3) return parser
  const around = mounts.findIndex(({ what }) => typeof what === 'object' && 'router' in what && what.router === app)
  const outer = mounts[around]
  return outer === undefined
    ? undefined
    : before(mounts, around, { app: outer.app, path: outer.path ?? path, depth: depth + 1 })
}
