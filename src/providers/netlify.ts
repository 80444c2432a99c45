import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { jwt } from '../verify/schemes/jwt.ts'

/** Netlify deploy notifications. The secret is the JWS secret token of the notification. https://docs.netlify.com/site-deploys/deploy-notifications/ */
export const netlify: (options: ProviderOptions) => Provider = defineProvider({
  name: 'netlify',
  title: 'Netlify',
  documentation: 'https://docs.netlify.com/site-deploys/deploy-notifications/',
  scheme: jwt({
    header: 'x-webhook-signature',
    algorithm: 'HS256',
    claims: { iss: 'netlify' },
    bodyHashClaim: 'sha256',
    times: 'none',
    signedClaims: () => ({}),
  }),
  idField: 'the body fields "id", "state" and "updated_at"',
  isIdSigned: true,
  reads: ['id', 'state', 'updated_at'],
  identify: ({ document }) => {
    const [deploy, state, updatedAt] = ['id', 'state', 'updated_at'].map((name) => field(document, name))
    return {
      id: compositeId([deploy, state, updatedAt]),
      type: state,
      objectId: deploy,
      occurredAt: fromDateText(updatedAt),
    }
  },
  confidence: 'unsure',
  uncertain: ['how it signs (second-hand)', 'whether it sends again', 'the header x-netlify-event'],
  weaknesses: [
    'No time is signed: a delivery that was captured stays valid for ever, and only its id tells that it is old.',
  ],
  surprises: [
    'The body is covered only by its hash in the token: who checks the token alone accepts any body.',
    'There is no event id: the deploy, its state and the time of its last change make one.',
  ],
  compose: ({ id, type, payload }, at) => {
    const [deploy = freshId(), state = type ?? 'ready', updatedAt = at.toISOString()] =
      id === undefined ? [] : partsOfId(id)
    return jsonEvent(
      {
        site_id: 'fa4dd95a-994e-4f89-8a7a-2d9e9fc36a32',
        name: 'www-acme',
        url: 'https://www.acme.example',
        branch: 'main',
        context: 'production',
        id: deploy,
        state,
        updated_at: updatedAt,
        ...payload,
      },
      { 'x-netlify-event': state === 'ready' ? 'deploy_created' : `deploy_${state}` },
    )
  },
})
