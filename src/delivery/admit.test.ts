import { expect, test } from 'vitest'
import { recordingDoor } from '../../test/adapters/recording-door.ts'
import { admit } from './admit.ts'

const request = {
  source: 'acme',
  method: 'POST',
  url: 'https://hooks.example.com/acme',
  headers: new Map<string, readonly string[]>(),
  readBody: async () => ({ kind: 'malformed', detail: 'The body ended before its announced length.' }) as const,
}

test('a body that was cut short is refused with the status that costs this source no events', async () => {
  const careful = recordingDoor({ settings: { refusalStatus: { malformed: 503 } } })

  const answers = [await admit(careful, request), await admit(recordingDoor(), request)]

  expect(answers.map(({ status }) => status)).toEqual([503, 400])
  expect(careful.received).toEqual([])
})
