import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** Events of Asana. */
export const samples: ProviderSamples = {
  'task.changed': (input) =>
    event(input, 'task', { action: 'changed', parent: null, change: { field: 'name', action: 'changed' } }),
  'task.added': (input) => event(input, 'task', { action: 'added', parent: { gid: '1201', resource_type: 'project' } }),
  'story.added': (input) =>
    event(input, 'story', { action: 'added', parent: { gid: '1337', resource_type: 'task' } }, 'comment_added'),
  'task.deleted': (input) => event(input, 'task', { action: 'deleted', parent: null }),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  rest: Readonly<Record<string, unknown>>,
  subtype = 'default_task',
): EventToSign {
  const gid = id ?? String(numberOf(unique))
  const user = { gid: '1123', resource_type: 'user' }
  const resource = { gid, resource_type: type, resource_subtype: subtype }
  return { payload: { events: [{ user, created_at: at.toISOString(), resource, ...rest }] } }
}
