import type { Adapter } from '../adapter.ts'
import { adyen } from './adyen.ts'
import { appleAppStoreV2 } from './apple-app-store-v2.ts'
import { awsSns } from './aws-sns.ts'
import { bigcommerce } from './bigcommerce.ts'
import { box } from './box.ts'
import { braintree } from './braintree.ts'
import { chargebee } from './chargebee.ts'
import { clerk } from './clerk.ts'
import { coinbaseCommerce } from './coinbase-commerce.ts'
import { contentful } from './contentful.ts'
import { discord } from './discord.ts'
import { easypost } from './easypost.ts'
import { github } from './github.ts'
import { gocardless } from './gocardless.ts'
import { googlePubsubPush } from './google-pubsub-push.ts'
import { hubspot } from './hubspot.ts'
import { line } from './line.ts'
import { linear } from './linear.ts'
import { notion } from './notion.ts'
import { openai } from './openai.ts'
import { paddle } from './paddle.ts'
import { plivo } from './plivo.ts'
import { plivoV2 } from './plivo-v2.ts'
import { polar } from './polar.ts'
import { razorpay } from './razorpay.ts'
import { resend } from './resend.ts'
import { sanity } from './sanity.ts'
import { sendgrid } from './sendgrid.ts'
import { shopify } from './shopify.ts'
import { slack } from './slack.ts'
import { square } from './square.ts'
import { standardWebhooks } from './standard-webhooks.ts'
import { stripe } from './stripe.ts'
import { supabaseAuthHooks } from './supabase-auth-hooks.ts'
import { svix } from './svix.ts'
import { telnyx } from './telnyx.ts'
import { twilio } from './twilio.ts'
import { twilioJson } from './twilio-json.ts'
import { viber } from './viber.ts'
import { vonage } from './vonage.ts'
import { webflow } from './webflow.ts'
import { workos } from './workos.ts'
import { zoom } from './zoom.ts'

/** Every library that is compared with us. */
export const adapters: readonly Adapter[] = [
  adyen,
  appleAppStoreV2,
  awsSns,
  bigcommerce,
  box,
  braintree,
  chargebee,
  clerk,
  coinbaseCommerce,
  contentful,
  discord,
  easypost,
  github,
  gocardless,
  googlePubsubPush,
  hubspot,
  line,
  linear,
  notion,
  openai,
  paddle,
  plivoV2,
  plivo,
  polar,
  razorpay,
  resend,
  sanity,
  sendgrid,
  shopify,
  slack,
  square,
  standardWebhooks,
  stripe,
  supabaseAuthHooks,
  svix,
  telnyx,
  twilioJson,
  twilio,
  viber,
  vonage,
  webflow,
  workos,
  zoom,
]
