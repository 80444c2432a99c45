import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Brex. */
export const samples: ProviderSamples = {
  TRANSFER_PROCESSED: (input) =>
    event(input, 'TRANSFER_PROCESSED', { transfer_id: `dptx_${input.unique}`, payment_type: 'ACH' }),
  TRANSFER_FAILED: (input) =>
    event(input, 'TRANSFER_FAILED', { transfer_id: `dptx_${input.unique}`, payment_type: 'DOMESTIC_WIRE' }),
  USER_UPDATED: (input) =>
    event(input, 'USER_UPDATED', { user_id: `cuuser_${input.unique}`, updated_attributes: ['STATUS'] }),
}

function event({ id, unique }: SampleInput, type: string, parts: Readonly<Record<string, unknown>>): EventToSign {
  return {
    id: id ?? `msg_${unique}`,
    type,
    payload: { event_type: type, ...parts, company_id: 'cuacc_ckz0ubjqj000001uyhfkg7a8t' },
  }
}
