import type { Delivery } from '../../src/delivery/delivery.ts'
import { bitbucket } from '../../src/providers/bitbucket.ts'
import { buildkite } from '../../src/providers/buildkite.ts'
import { circleci } from '../../src/providers/circleci.ts'
import { contentful } from '../../src/providers/contentful.ts'
import { dockerHub } from '../../src/providers/docker-hub.ts'
import { forgejo } from '../../src/providers/forgejo.ts'
import { gitea } from '../../src/providers/gitea.ts'
import { gitlab } from '../../src/providers/gitlab.ts'
import { heroku } from '../../src/providers/heroku.ts'
import { jira } from '../../src/providers/jira.ts'
import { linear } from '../../src/providers/linear.ts'
import { npmHooks } from '../../src/providers/npm-hooks.ts'
import { pagerduty } from '../../src/providers/pagerduty.ts'
import { sanity } from '../../src/providers/sanity.ts'
import { sentry } from '../../src/providers/sentry.ts'
import { supabaseAuthHooks } from '../../src/providers/supabase-auth-hooks.ts'
import { vercel } from '../../src/providers/vercel.ts'
import { secrets, textSecret, whsecSecret } from './case-keys.ts'
import { describeProviders } from './describe-provider.ts'
import { at, inHeader, inQuery, timestampHeader, timestampPair } from './provider-case.ts'

const hookSecrets = {
  ...secrets(
    'v1,whsec_b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE=',
    'v1,whsec_d3Jvbmctc2VjcmV0LXdyb25nLXNlY3JldC0wMDAwMDA=',
  ),
  secretTexts: ['b25jZWhvb2stdGVzdC1zZWNyZXQtQS0zMi1ieXRlcyE=', 'oncehook-test-secret'],
}

/** A timestamp that is a member of the body. */
function timestampMember(delivery: Delivery, timestamp: string): Delivery {
  const document: unknown = JSON.parse(Buffer.from(delivery.body).toString('utf8'))
  const body = JSON.stringify({ ...(document as object), webhookTimestamp: timestamp })
  return { ...delivery, body: Buffer.from(body) }
}

await describeProviders([
  { name: 'gitlab', create: gitlab, ...textSecret, coverage: 'none', proof: inHeader('x-gitlab-token') },
  {
    name: 'gitlab',
    variant: 'with a signing token',
    create: gitlab,
    ...whsecSecret,
    coverage: 'all',
    proof: inHeader('webhook-signature'),
    withTimestamp: timestampHeader('webhook-timestamp'),
  },
  { name: 'bitbucket', create: bitbucket, ...textSecret, coverage: 'all', proof: inHeader('x-hub-signature') },
  { name: 'gitea', create: gitea, ...textSecret, coverage: 'all', proof: inHeader('x-gitea-signature') },
  { name: 'forgejo', create: forgejo, ...textSecret, coverage: 'all', proof: inHeader('x-forgejo-signature') },
  {
    name: 'linear',
    create: linear,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('linear-signature'),
    withTimestamp: timestampMember,
    timestampUnit: 'milliseconds',
    exactBody: `{ "webhookTimestamp": ${at.getTime()},\r\n\t"a": "\\u00e4\\/ü🖖\\n", "n": 1.0e2 }\n`,
  },
  { name: 'jira', create: jira, ...textSecret, coverage: 'all', proof: inHeader('x-hub-signature') },
  { name: 'sentry', create: sentry, ...textSecret, coverage: 'all', proof: inHeader('sentry-hook-signature') },
  { name: 'pagerduty', create: pagerduty, ...textSecret, coverage: 'all', proof: inHeader('x-pagerduty-signature') },
  { name: 'vercel', create: vercel, ...textSecret, coverage: 'all', proof: inHeader('x-vercel-signature') },
  {
    name: 'buildkite',
    create: buildkite,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-buildkite-signature'),
    withTimestamp: timestampPair('x-buildkite-signature', 'timestamp'),
  },
  {
    name: 'buildkite',
    variant: 'with a token',
    create: (options) => buildkite({ ...options, proof: 'token' }),
    ...textSecret,
    coverage: 'none',
    proof: inHeader('x-buildkite-token'),
  },
  { name: 'heroku', create: heroku, ...textSecret, coverage: 'all', proof: inHeader('heroku-webhook-hmac-sha256') },
  { name: 'circleci', create: circleci, ...textSecret, coverage: 'all', proof: inHeader('circleci-signature') },
  { name: 'npm-hooks', create: npmHooks, ...textSecret, coverage: 'all', proof: inHeader('x-npm-signature') },
  { name: 'docker-hub', create: dockerHub, ...textSecret, coverage: 'none', proof: inQuery('token') },
  {
    name: 'contentful',
    create: contentful,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('x-contentful-signature'),
    withTimestamp: timestampHeader('x-contentful-timestamp'),
    timestampUnit: 'milliseconds',
  },
  {
    name: 'sanity',
    create: sanity,
    ...textSecret,
    coverage: 'all',
    proof: inHeader('sanity-webhook-signature'),
    withTimestamp: timestampPair('sanity-webhook-signature', 't'),
    timestampUnit: 'milliseconds',
  },
  {
    name: 'supabase-auth-hooks',
    create: supabaseAuthHooks,
    ...hookSecrets,
    coverage: 'all',
    proof: inHeader('webhook-signature'),
    withTimestamp: timestampHeader('webhook-timestamp'),
  },
])
