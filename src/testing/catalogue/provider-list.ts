// Written by scripts/write-catalogue.mjs from the files that are there.

import { adyen } from '../../providers/adyen.ts'
import { afterpay } from '../../providers/afterpay.ts'
import { airtable } from '../../providers/airtable.ts'
import { appleAppStoreV2 } from '../../providers/apple-app-store-v2.ts'
import { asana } from '../../providers/asana.ts'
import { auth0EventStreams } from '../../providers/auth0-event-streams.ts'
import { auth0LogStreams } from '../../providers/auth0-log-streams.ts'
import { awsSns } from '../../providers/aws-sns.ts'
import { azureEventGrid } from '../../providers/azure-event-grid.ts'
import { bigcommerce } from '../../providers/bigcommerce.ts'
import { bitbucket } from '../../providers/bitbucket.ts'
import { box } from '../../providers/box.ts'
import { braintree } from '../../providers/braintree.ts'
import { brex } from '../../providers/brex.ts'
import { buildkite } from '../../providers/buildkite.ts'
import { calCom } from '../../providers/cal-com.ts'
import { calendly } from '../../providers/calendly.ts'
import { chargebee } from '../../providers/chargebee.ts'
import { checkoutCom } from '../../providers/checkout-com.ts'
import { circleci } from '../../providers/circleci.ts'
import { clerk } from '../../providers/clerk.ts'
import { cloudeventsHttp } from '../../providers/cloudevents-http.ts'
import { coinbaseCommerce } from '../../providers/coinbase-commerce.ts'
import { contentful } from '../../providers/contentful.ts'
import { customerIo } from '../../providers/customer-io.ts'
import { discord } from '../../providers/discord.ts'
import { dockerHub } from '../../providers/docker-hub.ts'
import { docusignConnect } from '../../providers/docusign-connect.ts'
import { dropbox } from '../../providers/dropbox.ts'
import { easypost } from '../../providers/easypost.ts'
import { figma } from '../../providers/figma.ts'
import { forgejo } from '../../providers/forgejo.ts'
import { freshdesk } from '../../providers/freshdesk.ts'
import { gitea } from '../../providers/gitea.ts'
import { github } from '../../providers/github.ts'
import { gitlab } from '../../providers/gitlab.ts'
import { gocardless } from '../../providers/gocardless.ts'
import { googlePlayRtdn } from '../../providers/google-play-rtdn.ts'
import { googlePubsubPush } from '../../providers/google-pubsub-push.ts'
import { heroku } from '../../providers/heroku.ts'
import { hubspot } from '../../providers/hubspot.ts'
import { intercom } from '../../providers/intercom.ts'
import { intuitQuickbooks } from '../../providers/intuit-quickbooks.ts'
import { jira } from '../../providers/jira.ts'
import { klarna } from '../../providers/klarna.ts'
import { lemonsqueezy } from '../../providers/lemonsqueezy.ts'
import { line } from '../../providers/line.ts'
import { linear } from '../../providers/linear.ts'
import { mailchimp } from '../../providers/mailchimp.ts'
import { mailgun } from '../../providers/mailgun.ts'
import { messenger } from '../../providers/messenger.ts'
import { mollie } from '../../providers/mollie.ts'
import { monday } from '../../providers/monday.ts'
import { netlify } from '../../providers/netlify.ts'
import { notion } from '../../providers/notion.ts'
import { npmHooks } from '../../providers/npm-hooks.ts'
import { oktaEventHooks } from '../../providers/okta-event-hooks.ts'
import { openai } from '../../providers/openai.ts'
import { paddle } from '../../providers/paddle.ts'
import { pagerduty } from '../../providers/pagerduty.ts'
import { paypal } from '../../providers/paypal.ts'
import { plaid } from '../../providers/plaid.ts'
import { plivo } from '../../providers/plivo.ts'
import { polar } from '../../providers/polar.ts'
import { postmark } from '../../providers/postmark.ts'
import { razorpay } from '../../providers/razorpay.ts'
import { recurly } from '../../providers/recurly.ts'
import { resend } from '../../providers/resend.ts'
import { revenuecat } from '../../providers/revenuecat.ts'
import { salesforceOutbound } from '../../providers/salesforce-outbound.ts'
import { sanity } from '../../providers/sanity.ts'
import { segment } from '../../providers/segment.ts'
import { sendgrid } from '../../providers/sendgrid.ts'
import { sentry } from '../../providers/sentry.ts'
import { shippo } from '../../providers/shippo.ts'
import { shopify } from '../../providers/shopify.ts'
import { slack } from '../../providers/slack.ts'
import { square } from '../../providers/square.ts'
import { standardWebhooks } from '../../providers/standard-webhooks.ts'
import { stripe } from '../../providers/stripe.ts'
import { supabaseAuthHooks } from '../../providers/supabase-auth-hooks.ts'
import { svix } from '../../providers/svix.ts'
import { telegram } from '../../providers/telegram.ts'
import { telnyx } from '../../providers/telnyx.ts'
import { trello } from '../../providers/trello.ts'
import { twilio } from '../../providers/twilio.ts'
import { twitchEventsub } from '../../providers/twitch-eventsub.ts'
import { typeform } from '../../providers/typeform.ts'
import { vercel } from '../../providers/vercel.ts'
import { viber } from '../../providers/viber.ts'
import { vonage } from '../../providers/vonage.ts'
import { webflow } from '../../providers/webflow.ts'
import { whatsapp } from '../../providers/whatsapp.ts'
import { wise } from '../../providers/wise.ts'
import { woocommerce } from '../../providers/woocommerce.ts'
import { workos } from '../../providers/workos.ts'
import { xero } from '../../providers/xero.ts'
import { zendesk } from '../../providers/zendesk.ts'
import { zoom } from '../../providers/zoom.ts'
import type { ProviderFunction, ProviderName } from './provider-name.ts'

/** Every provider of the catalogue, by the name of its function. */
export const providerList: Readonly<Record<ProviderName, ProviderFunction>> = {
  adyen,
  afterpay,
  airtable,
  appleAppStoreV2,
  asana,
  auth0EventStreams,
  auth0LogStreams,
  awsSns,
  azureEventGrid,
  bigcommerce,
  bitbucket,
  box,
  braintree,
  brex,
  buildkite,
  calCom,
  calendly,
  chargebee,
  checkoutCom,
  circleci,
  clerk,
  cloudeventsHttp,
  coinbaseCommerce,
  contentful,
  customerIo,
  discord,
  dockerHub,
  docusignConnect,
  dropbox,
  easypost,
  figma,
  forgejo,
  freshdesk,
  gitea,
  github,
  gitlab,
  gocardless,
  googlePlayRtdn,
  googlePubsubPush,
  heroku,
  hubspot,
  intercom,
  intuitQuickbooks,
  jira,
  klarna,
  lemonsqueezy,
  line,
  linear,
  mailchimp,
  mailgun,
  messenger,
  mollie,
  monday,
  netlify,
  notion,
  npmHooks,
  oktaEventHooks,
  openai,
  paddle,
  pagerduty,
  paypal,
  plaid,
  plivo,
  polar,
  postmark,
  razorpay,
  recurly,
  resend,
  revenuecat,
  salesforceOutbound,
  sanity,
  segment,
  sendgrid,
  sentry,
  shippo,
  shopify,
  slack,
  square,
  standardWebhooks,
  stripe,
  supabaseAuthHooks,
  svix,
  telegram,
  telnyx,
  trello,
  twilio,
  twitchEventsub,
  typeform,
  vercel,
  viber,
  vonage,
  webflow,
  whatsapp,
  wise,
  woocommerce,
  workos,
  xero,
  zendesk,
  zoom,
}
