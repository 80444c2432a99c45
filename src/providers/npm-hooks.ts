import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromUnixMilliseconds } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { digestOf } from '../verify/derived-identity.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Hooks of the npm registry. The secret is the one of `npm hook add`. https://docs.npmjs.com/cli/v10/commands/npm-hook */
export const npmHooks: (options: ProviderOptions) => Provider = defineProvider({
  name: 'npm-hooks',
  title: 'npm registry hooks',
  documentation: 'https://docs.npmjs.com/cli/v10/commands/npm-hook',
  scheme: signature({
    header: 'x-npm-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex', prefix: 'sha256=' }),
  }),
  idField: 'the body fields "event", "name", "time" and "change"',
  isIdSigned: true,
  reads: ['event', 'name', 'time', 'change'],
  identify: ({ document }) => {
    const [event, name, time] = ['event', 'name', 'time'].map((path) => field(document, path))
    return {
      id: compositeId([event, name, time, digestOf(field(document, 'change') ?? '')]),
      type: event,
      objectId: name,
      occurredAt: fromUnixMilliseconds(time),
    }
  },
  answer: () => ({ status: 200 }),
  successStatus: '200',
  confidence: 'executed',
  uncertain: ['the fields of the body', 'whether the registry still delivers', 'whether it tries again'],
  surprises: ['The command npm hook is documented up to version 10 of the npm client, and missing from version 11.'],
  // Nothing says that it would send an event again.
  isFailureRetried: false,
  sending: { successes: [200] },
  compose: ({ id, type, payload }, at) => {
    const name = id ?? freshId('acme-')
    return jsonEvent({
      name,
      type: 'package',
      version: '1.0.0',
      hookOwner: { username: 'acme' },
      payload: { name, 'dist-tags': { latest: '2.4.1' } },
      change: { version: '2.4.1' },
      time: at.getTime(),
      ...payload,
      event: type ?? payload?.event ?? 'package:publish',
    })
  },
})
