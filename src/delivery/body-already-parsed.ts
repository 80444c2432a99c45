import { OncehookError } from '../errors.ts'

/** The exact bytes are gone, and with them any chance to check the signature. `fix` is what the developer has to change. */
export function bodyAlreadyParsed(fix: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_BODY_ALREADY_PARSED',
    'Something read the body of this webhook before it got here, so its exact bytes are gone and its signature cannot be checked. ' +
      `It was answered 500, so that the provider sends it again. ${fix}`,
  )
}
