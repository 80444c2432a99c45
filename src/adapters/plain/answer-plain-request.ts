import { admit, reporter } from '../../delivery/admit.ts'
import type { HasDoor } from '../../delivery/door.ts'
import { checkBody, cutShort, defaultReadSeconds } from '../../delivery/read-body.ts'
import { sourceOfUrl } from '../../delivery/source-of-url.ts'
import type { NodeHandlerOptions } from '../answer-node-request.ts'
import { calledUrl } from '../node-request.ts'
import { workAfterwards } from '../work-afterwards.ts'
import type { PlainService } from './plain-connection.ts'

/** Answers plain requests exactly as those of `node:http` are answered: the last segment of the path names the source. */
export function createPlainAnswer(inbox: HasDoor, options: Omit<NodeHandlerOptions, 'source'>): PlainService['answer'] {
  const door = workAfterwards(inbox.door, options)
  const report = reporter(options.onError ?? door.onError)
  const proxy = options.trustProxy === true ? 'trusted' : 'untrusted'
  const { readSeconds = defaultReadSeconds } = options

  return ({ target, headers }, body) =>
    admit(
      door,
      {
        source: sourceOfUrl(target),
        method: 'POST',
        url: calledUrl({ target, protocol: 'http', headers, proxy }),
        headers,
        readBody: (limitBytes) => (body === 'cut_short' ? cutShort : checkBody(body, limitBytes)),
        readSeconds,
      },
      report,
    )
}
