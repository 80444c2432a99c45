import { numberOf, type ProviderSamples } from './sample.ts'

/** Callbacks of Viber. */
export const samples: ProviderSamples = {
  message: ({ id, at, unique }) => ({
    ...(id === undefined ? {} : { id }),
    type: 'message',
    payload: {
      event: 'message',
      timestamp: at.getTime(),
      message_token: numberOf(unique),
      sender: { id: '01234567890A=', name: 'Jenny', language: 'uk', country: 'UA', api_version: 10 },
      message: { type: 'text', text: 'привіт 👋' },
      silent: false,
    },
  }),
  delivered: ({ id, at, unique }) => ({
    ...(id === undefined ? {} : { id }),
    type: 'delivered',
    payload: {
      event: 'delivered',
      timestamp: at.getTime(),
      message_token: numberOf(unique),
      user_id: '01234567890A=',
    },
  }),
}
