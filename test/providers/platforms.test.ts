import { airtable } from '../../src/providers/airtable.ts'
import { asana } from '../../src/providers/asana.ts'
import { auth0EventStreams } from '../../src/providers/auth0-event-streams.ts'
import { auth0LogStreams } from '../../src/providers/auth0-log-streams.ts'
import { azureEventGrid } from '../../src/providers/azure-event-grid.ts'
import { cloudeventsHttp } from '../../src/providers/cloudevents-http.ts'
import { dropbox } from '../../src/providers/dropbox.ts'
import { figma } from '../../src/providers/figma.ts'
import { freshdesk } from '../../src/providers/freshdesk.ts'
import { oktaEventHooks } from '../../src/providers/okta-event-hooks.ts'
import { salesforceOutbound } from '../../src/providers/salesforce-outbound.ts'
import { trello } from '../../src/providers/trello.ts'
import { secrets, textSecret } from './case-keys.ts'
import { describeProviders } from './describe-provider.ts'
import { inBody, inHeader, inQuery } from './provider-case.ts'

const base64Secrets = secrets(
  'b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE=',
  'd3Jvbmctc2VjcmV0LXdyb25nLXNlY3JldC0wMDAwMDA=',
)

await describeProviders([
  {
    name: 'dropbox',
    create: dropbox,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-dropbox-signature'),
    isEveryDeliveryNew: true,
  },
  { name: 'asana', create: asana, ...textSecret, coverage: 'all', proof: inHeader('x-hook-signature') },
  { name: 'trello', create: trello, ...textSecret, coverage: 'all', proof: inHeader('x-trello-webhook') },
  {
    name: 'airtable',
    create: airtable,
    ...base64Secrets,
    coverage: 'all',
    proof: inHeader('x-airtable-content-mac'),
    isEveryDeliveryNew: true,
  },
  {
    name: 'figma',
    create: figma,
    ...textSecret,
    coverage: () => textSecret.secretTexts,
    proof: inBody('passcode'),
    exactBody: 'none',
  },
  {
    name: 'freshdesk',
    create: freshdesk,
    ...textSecret,
    coverage: 'none',
    proof: inHeader('x-webhook-secret'),
    isEveryDeliveryNew: true,
  },
  {
    name: 'salesforce-outbound',
    create: salesforceOutbound,
    ...textSecret,
    coverage: 'none',
    proof: inQuery('token'),
  },
  {
    name: 'salesforce-outbound',
    variant: 'of one organization',
    create: (options) => salesforceOutbound({ ...options, organizationId: '00D5g000000AbCd' }),
    ...textSecret,
    coverage: 'none',
    proof: inQuery('token'),
  },
  {
    name: 'auth0-event-streams',
    create: auth0EventStreams,
    ...textSecret,
    coverage: 'none',
    proof: inHeader('authorization'),
  },
  {
    name: 'auth0-log-streams',
    create: auth0LogStreams,
    ...textSecret,
    coverage: 'none',
    proof: inHeader('authorization'),
  },
  {
    name: 'okta-event-hooks',
    create: oktaEventHooks,
    ...textSecret,
    coverage: 'none',
    proof: inHeader('authorization'),
  },
  { name: 'azure-event-grid', create: azureEventGrid, ...textSecret, coverage: 'none', proof: inQuery('token') },
  {
    name: 'cloudevents-http',
    create: cloudeventsHttp,
    ...textSecret,
    coverage: 'none',
    proof: inHeader('authorization'),
  },
])
