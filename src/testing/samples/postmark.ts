import { numberOf, type ProviderSamples, uuidOf } from './sample.ts'

/** Events of Postmark. */
export const samples: ProviderSamples = {
  Bounce: ({ id, at, unique }) => ({
    type: 'Bounce',
    payload: {
      RecordType: 'Bounce',
      MessageStream: 'outbound',
      ID: id ?? numberOf(unique),
      Type: 'HardBounce',
      TypeCode: 1,
      Name: 'Hard bounce',
      MessageID: uuidOf(unique),
      Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
      Email: 'jenny@example.com',
      From: 'hello@example.com',
      BouncedAt: at.toISOString(),
      Inactive: true,
    },
  }),
  Delivery: ({ id, at, unique }) => ({
    type: 'Delivery',
    payload: {
      RecordType: 'Delivery',
      MessageStream: 'outbound',
      MessageID: id ?? uuidOf(unique),
      Recipient: 'jenny@example.com',
      DeliveredAt: at.toISOString(),
      Details: 'smtp;250 2.0.0 OK',
      Tag: 'Begrüßung',
    },
  }),
  Inbound: ({ id, at, unique }) => ({
    type: 'Inbound',
    payload: {
      From: 'jenny@example.com',
      To: 'support@example.com',
      Subject: 'Wo ist meine Bestellung?',
      MessageID: id ?? uuidOf(unique),
      Date: at.toUTCString(),
      TextBody: 'Hallo, wo ist Nr. 1001?',
      Attachments: [],
    },
  }),
}
