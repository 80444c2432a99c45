import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

const board = { id: '4d5ea62fd76aa1136000000c', name: 'Roadmap', shortLink: 'nC8QJJoZ' }
const memberCreator = { id: '4fc78a59a885233f4b349bd9', fullName: 'Zoë Example', username: 'zoe' }

/** Actions of Trello. */
export const samples: ProviderSamples = {
  updateCard: (input) =>
    event(input, 'updateCard', {
      old: { idList: '51f9424bcd6e040f3c002411' },
      listBefore: { id: '51f9424bcd6e040f3c002411', name: 'Doing' },
      listAfter: { id: '51f9424bcd6e040f3c002412', name: 'Done' },
    }),
  createCard: (input) => event(input, 'createCard', { list: { id: '51f9424bcd6e040f3c002411', name: 'Doing' } }),
  commentCard: (input) => event(input, 'commentCard', { text: 'Größe “L” — fertig ✔' }),
}

function event({ id, at, unique }: SampleInput, type: string, changed: Readonly<Record<string, unknown>>): EventToSign {
  const card = { id: '51a79e72dbb7e23c7c003778', name: 'Draw the logo', idShort: 1458, shortLink: 'abc' }
  const data = { board, card, ...changed }
  return {
    id: id ?? unique,
    type,
    payload: {
      model: { ...board, closed: false },
      action: { idMemberCreator: memberCreator.id, data, date: at.toISOString(), memberCreator },
    },
  }
}
