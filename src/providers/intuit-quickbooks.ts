import { hmac } from '../verify/algorithms/hmac.ts'
import { freshNumber, freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import { dottedType } from '../verify/event-type.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import { field, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Intuit QuickBooks Online, CloudEvents and the format before. The secret is the verifier token. https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks */
export const intuitQuickbooks: (options: ProviderOptions) => Provider = defineProvider({
  name: 'intuit-quickbooks',
  title: 'Intuit QuickBooks Online',
  documentation: 'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks',
  scheme: signature({
    header: 'intuit-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'base64' }),
  }),
  idField: 'the "id" and "type" of each CloudEvent; in the old format by company, entity, operation and "lastUpdated"',
  isIdSigned: true,
  isBatch: true,
  identify: ({ document }) =>
    Array.isArray(document)
      ? document.map(cloudEvent)
      : listAt(document, 'eventNotifications').flatMap((notification, index) => changesOf(notification, index)),
  handshakes: {
    after_verification: emptyBatch((document) =>
      Array.isArray(document) ? document : field(document, 'eventNotifications'),
    ),
  },
  confidence: 'documents',
  uncertain: ['when it gives up trying again', 'that the id of a CloudEvent stays on a retry'],
  surprises: [
    'The format changed in May 2026, from "eventNotifications" to a list of CloudEvents. Both are taken.',
    'Later events may be held back until an earlier one was acknowledged.',
    'An event only says which entity changed. Read it from the API; its documents advise a daily ChangeDataCapture call for gaps.',
  ],
  retrySchedule: 'after 10, 20 and 30 seconds, 5 and 20 minutes, 2, 4 and 6 hours, then every 6 hours; no end is named',
  sending: {
    pausesSeconds: [10, 20, 30, 300, 1_200, 7_200, 14_400, 21_600],
    thenEverySeconds: 21_600,
    successes: [200],
    leftOut: ['Later events may be held back until the first is acknowledged.'],
  },
  successStatus: '200 only',
  answer: () => ({ status: 200 }),
  deadlineSeconds: 3,
  compose: ({ id = freshUuid(), type = 'qbo.invoice.created.v1', payload }, at) => {
    const event = {
      specversion: '1.0',
      id,
      source: 'intuit.dsnBgbseACLLRZNxo2dfc4evmEJdxde58xeeYcZliOU=',
      type,
      datacontenttype: 'application/json',
      time: at.toISOString(),
      intuitentityid: String(freshNumber()),
      intuitaccountid: '310687',
      data: {},
      ...payload,
    }
    return jsonEvent([event])
  },
})

/** An id names the entity that it is about, so one batch could hold it for two changes of that entity. */
function cloudEvent(event: unknown, index: number): ClaimedEvent {
  const type = field(event, 'type')
  return {
    id: compositeId([field(event, 'id'), type]),
    type,
    objectId: field(event, 'intuitentityid'),
    occurredAt: fromDateText(field(event, 'time')),
    part: `/${index}`,
  }
}

function changesOf(notification: unknown, notificationIndex: number): readonly ClaimedEvent[] {
  return listAt(notification, 'dataChangeEvent.entities').map((entity, index) => {
    const [name, operation] = [field(entity, 'name'), field(entity, 'operation')]
    const [entityId, time] = [field(entity, 'id'), field(entity, 'lastUpdated')]
    return {
      id: compositeId([field(notification, 'realmId'), name, entityId, operation, time]),
      type: dottedType([name, operation]),
      objectId: entityId,
      occurredAt: fromDateText(time),
      part: `/eventNotifications/${notificationIndex}/dataChangeEvent/entities/${index}`,
    }
  })
}
