import { linkedAbort, rejectedOnAbort } from '../abort.ts'
import { describeError, OncehookError } from '../errors.ts'
import type { FetchCurrent } from '../verify/provider.ts'
import type { UntypedPayload, WebhookEvent } from './handler.ts'

/** Long enough for a slow API, short enough not to hold a transaction open for ever. */
const timeoutSeconds = 10

/** The object as it is now at the provider. Every way to fail is one clear error, and the event is tried again. */
export async function fetchCurrentOf(
  event: WebhookEvent,
  fetchCurrent: FetchCurrent | undefined,
  signal: AbortSignal,
): Promise<UntypedPayload> {
  if (fetchCurrent === undefined) {
    throw failed(event, 'its source has no fetchCurrent option: give it a function that asks the provider', undefined)
  }
  const { abort, unlink } = linkedAbort(signal)
  const tooLate = new Error(`the provider did not answer within ${timeoutSeconds} s`)
  const timer = setTimeout(() => abort.abort(tooLate), timeoutSeconds * 1000)
  try {
    return await Promise.race([fetchCurrent(event, abort.signal), rejectedOnAbort(abort.signal)])
  } catch (error) {
    throw failed(event, abort.signal.reason === tooLate ? tooLate.message : describeError(error), error)
  } finally {
    clearTimeout(timer)
    unlink()
  }
}

function failed({ source, id, objectId }: WebhookEvent, reason: string, cause: unknown): OncehookError {
  const what = objectId === undefined ? `what ${source} event ${id} is about` : `${source} object ${objectId}`
  return new OncehookError('ONCEHOOK_FETCH_FAILED', `The current state of ${what} could not be fetched: ${reason}.`, {
    cause,
  })
}
