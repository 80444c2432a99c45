import type { ProviderName } from './catalogue/provider-name.ts'

/** Names and numbers of lists, joined by dots; by the event's type where types differ. */
type Place = string | Readonly<Record<string, string>>

/**
 * Where in a payload the object is that an event is about: there the fields of a test's delivery belong. Providers that are not here have
 * it at the top.
 */
const fieldPlaces: Readonly<Partial<Record<ProviderName, Place>>> = {
  appleAppStoreV2: 'data',
  asana: 'events.0',
  auth0EventStreams: 'data.object',
  auth0LogStreams: 'data',
  azureEventGrid: 'data',
  bigcommerce: 'data',
  box: 'source',
  braintree: 'subject',
  calCom: 'payload',
  calendly: 'payload',
  chargebee: 'content',
  checkoutCom: 'data',
  clerk: 'data',
  cloudeventsHttp: 'data',
  coinbaseCommerce: 'event.data',
  customerIo: 'data',
  discord: 'data',
  docusignConnect: 'data',
  easypost: 'result',
  freshdesk: 'freshdesk_webhook',
  gocardless: 'events.0',
  googlePubsubPush: 'message',
  heroku: 'data',
  intercom: 'data.item',
  klarna: 'payload',
  lemonsqueezy: 'data.attributes',
  line: 'events.0',
  linear: 'data',
  mailgun: 'event-data',
  messenger: 'entry.0.messaging.0',
  mollie: '_embedded.entity',
  notion: 'data',
  npmHooks: 'payload',
  oktaEventHooks: 'data.events.0',
  openai: 'data',
  paddle: 'data',
  pagerduty: 'event.data',
  paypal: 'resource',
  polar: 'data',
  razorpay: 'payload',
  resend: 'data',
  revenuecat: 'event',
  salesforceOutbound: 'sObject',
  sentry: 'data',
  shippo: 'data',
  slack: 'event',
  square: 'data.object',
  standardWebhooks: 'data',
  stripe: 'data.object',
  svix: 'data',
  telnyx: 'data.payload',
  trello: 'action.data',
  twitchEventsub: 'event',
  typeform: 'form_response',
  vercel: 'payload',
  webflow: 'payload',
  whatsapp: {
    messages: 'entry.0.changes.0.value.messages.0',
    statuses: 'entry.0.changes.0.value.statuses.0',
    account_update: 'entry.0.changes.0.value',
  },
  wise: 'data',
  workos: 'data',
  xero: 'events.0',
  zendesk: 'detail',
  zoom: 'payload.object',
}

/** Where the fields of an event of this type belong; undefined is the top. */
export function placeOf(name: ProviderName, type: string | undefined): string | undefined {
  const place = fieldPlaces[name]
  return typeof place === 'object' ? place[type ?? ''] : place
}
