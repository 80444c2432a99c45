import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** Events of monday.com. */
export const samples: ProviderSamples = {
  update_column_value: (input) =>
    event(input, 'update_column_value', {
      columnId: 'status',
      columnType: 'color',
      columnTitle: 'Status',
      value: { label: { index: 1, text: 'Done' } },
      previousValue: { label: { index: 0, text: 'Working on it' } },
    }),
  create_pulse: (input) => event(input, 'create_pulse', { groupId: 'topics', columnValues: {} }),
}

function event({ id, at, unique }: SampleInput, type: string, fields: Readonly<Record<string, unknown>>): EventToSign {
  const triggerUuid = id ?? unique.padEnd(32, '0')
  return {
    id: triggerUuid,
    type,
    payload: {
      pulseId: numberOf(unique),
      triggerUuid,
      triggerTime: at.toISOString(),
      originalTriggerUuid: null,
      ...fields,
    },
  }
}
