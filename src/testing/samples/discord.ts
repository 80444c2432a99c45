import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** Milliseconds of 2015, where Discord's clock starts. */
const epoch = 1_420_070_400_000n

/** Interactions and webhook events of Discord. */
export const samples: ProviderSamples = {
  'interaction.application_command': (input) =>
    interaction(input, 'interaction.application_command', 2, { id: '771825006014889984', name: 'order', type: 1 }),
  'interaction.message_component': (input) =>
    interaction(input, 'interaction.message_component', 3, { custom_id: 'approve:1001', component_type: 2 }),
  'interaction.modal_submit': (input) =>
    interaction(input, 'interaction.modal_submit', 5, { custom_id: 'feedback', components: [] }),
  APPLICATION_AUTHORIZED: ({ at, unique }) => ({
    type: 'APPLICATION_AUTHORIZED',
    payload: {
      version: 1,
      application_id: '1234567890123456789',
      type: 1,
      event: {
        type: 'APPLICATION_AUTHORIZED',
        timestamp: at.toISOString(),
        data: { integration_type: 0, user: { id: unique, username: 'nelly' } },
      },
    },
  }),
}

function interaction({ id, at, unique }: SampleInput, name: string, type: number, data: unknown): EventToSign {
  const snowflake = ((BigInt(at.getTime() - 1024) - epoch) << 22n) + BigInt(numberOf(unique) % 2 ** 32)
  return {
    id: id ?? String(snowflake),
    type: name,
    payload: {
      application_id: '1234567890123456789',
      type,
      data,
      channel_id: '645027906669510667',
      token: 'unused',
      version: 1,
    },
  }
}
