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
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  try {
    const both = AbortSignal.any([signal, timeout])
    return await Promise.race([fetchCurrent(event, both), rejectedOnAbort(both)])
  } catch (error) {
    const reason = timeout.aborted ? `the provider did not answer within ${timeoutSeconds} s` : describeError(error)
    throw failed(event, reason, error)
  }
}

function rejectedOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

function failed({ source, id, objectId }: WebhookEvent, reason: string, cause: unknown): OncehookError {
  const what = objectId === undefined ? `what ${source} event ${id} is about` : `${source} object ${objectId}`
  return new OncehookError('ONCEHOOK_FETCH_FAILED', `The current state of ${what} could not be fetched: ${reason}.`, {
    cause,
  })
}
