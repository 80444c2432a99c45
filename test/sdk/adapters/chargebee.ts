import type { Adapter } from '../adapter.ts'
import { believes } from '../asked.ts'
import { looseBase64 } from '../differences/signature.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader, textKey } from '../places.ts'

type ChargebeeLibrary = {
  readonly basicAuthValidator: (
    isRight: (user: string, password: string) => boolean,
  ) => (headers: Readonly<Record<string, string>>) => Promise<void>
}

export const chargebee: Adapter = {
  provider: 'chargebee',
  library: 'chargebee',
  calls: 'basicAuthValidator',
  keys: [textKey('hooks:a-password-of-the-differential-tests'), textKey('hooks:another-password-of-these-tests')],
  proof: proofInHeader('authorization'),
  load: async () => {
    const { basicAuthValidator } = requireLibrary('chargebee') as ChargebeeLibrary
    return {
      verify: ({ headers, key }) =>
        believes(() => basicAuthValidator((user, password) => `${user}:${password}` === key)(headers)),
    }
  },
  differences: [looseBase64],
}
