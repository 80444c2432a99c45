import type { Adapter } from '../adapter.ts'
import { notUtf8 } from '../differences/body.ts'
import { textKeys } from '../keys.ts'
import { requireLibrary } from '../load-library.ts'
import { proofInHeader } from '../places.ts'

type MessageValidator = new (
  logger: { readonly debug: () => void },
  authToken: string,
) => { readonly validateMessage: (signature: string, message: string) => boolean }

export const viber: Adapter = {
  provider: 'viber',
  library: 'viber-bot',
  calls: 'MessageValidator.validateMessage',
  keys: textKeys,
  proof: proofInHeader('x-viber-content-signature'),
  load: async () => {
    const Validator = requireLibrary('viber-bot/lib/message/message-validator') as MessageValidator
    const logger = { debug: () => undefined }
    return {
      verify: ({ text, header, key }) =>
        new Validator(logger, key).validateMessage(header('x-viber-content-signature'), text),
    }
  },
  differences: [notUtf8],
}
