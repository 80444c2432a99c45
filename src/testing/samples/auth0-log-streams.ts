import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Log events of Auth0, by their codes. */
export const samples: ProviderSamples = {
  s: (input) => event(input, 's', 'Successful login'),
  fp: (input) => event(input, 'fp', 'Wrong password'),
  ss: (input) => event(input, 'ss', 'Successful signup'),
}

function event({ id, at, unique }: SampleInput, type: string, description: string): EventToSign {
  const logId = id ?? `90020${unique}`
  return {
    type,
    payload: {
      log_id: logId,
      data: {
        date: at.toISOString(),
        type,
        description,
        connection: 'Username-Password-Authentication',
        client_name: 'Web shop',
        ip: '192.0.2.17',
        user_id: `auth0|${unique}`,
        log_id: logId,
      },
    },
  }
}
