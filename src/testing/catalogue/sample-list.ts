// Written by scripts/write-catalogue.mjs from the files that are there.

import * as adyen from '../samples/adyen.ts'
import * as afterpay from '../samples/afterpay.ts'
import * as airtable from '../samples/airtable.ts'
import * as appleAppStoreV2 from '../samples/apple-app-store-v2.ts'
import * as asana from '../samples/asana.ts'
import * as auth0EventStreams from '../samples/auth0-event-streams.ts'
import * as auth0LogStreams from '../samples/auth0-log-streams.ts'
import * as awsSns from '../samples/aws-sns.ts'
import * as azureEventGrid from '../samples/azure-event-grid.ts'
import * as bigcommerce from '../samples/bigcommerce.ts'
import * as bitbucket from '../samples/bitbucket.ts'
import * as box from '../samples/box.ts'
import * as braintree from '../samples/braintree.ts'
import * as brex from '../samples/brex.ts'
import * as buildkite from '../samples/buildkite.ts'
import * as calCom from '../samples/cal-com.ts'
import * as calendly from '../samples/calendly.ts'
import * as chargebee from '../samples/chargebee.ts'
import * as checkoutCom from '../samples/checkout-com.ts'
import * as circleci from '../samples/circleci.ts'
import * as clerk from '../samples/clerk.ts'
import * as cloudeventsHttp from '../samples/cloudevents-http.ts'
import * as coinbaseCommerce from '../samples/coinbase-commerce.ts'
import * as contentful from '../samples/contentful.ts'
import * as customerIo from '../samples/customer-io.ts'
import * as discord from '../samples/discord.ts'
import * as dockerHub from '../samples/docker-hub.ts'
import * as docusignConnect from '../samples/docusign-connect.ts'
import * as dropbox from '../samples/dropbox.ts'
import * as easypost from '../samples/easypost.ts'
import * as figma from '../samples/figma.ts'
import * as forgejo from '../samples/forgejo.ts'
import * as freshdesk from '../samples/freshdesk.ts'
import * as gitea from '../samples/gitea.ts'
import * as github from '../samples/github.ts'
import * as gitlab from '../samples/gitlab.ts'
import * as gocardless from '../samples/gocardless.ts'
import * as googlePlayRtdn from '../samples/google-play-rtdn.ts'
import * as googlePubsubPush from '../samples/google-pubsub-push.ts'
import * as heroku from '../samples/heroku.ts'
import * as hubspot from '../samples/hubspot.ts'
import * as intercom from '../samples/intercom.ts'
import * as intuitQuickbooks from '../samples/intuit-quickbooks.ts'
import * as jira from '../samples/jira.ts'
import * as klarna from '../samples/klarna.ts'
import * as lemonsqueezy from '../samples/lemonsqueezy.ts'
import * as line from '../samples/line.ts'
import * as linear from '../samples/linear.ts'
import * as mailchimp from '../samples/mailchimp.ts'
import * as mailgun from '../samples/mailgun.ts'
import * as messenger from '../samples/messenger.ts'
import * as mollie from '../samples/mollie.ts'
import * as monday from '../samples/monday.ts'
import * as netlify from '../samples/netlify.ts'
import * as notion from '../samples/notion.ts'
import * as npmHooks from '../samples/npm-hooks.ts'
import * as oktaEventHooks from '../samples/okta-event-hooks.ts'
import * as openai from '../samples/openai.ts'
import * as paddle from '../samples/paddle.ts'
import * as pagerduty from '../samples/pagerduty.ts'
import * as paypal from '../samples/paypal.ts'
import * as plaid from '../samples/plaid.ts'
import * as plivo from '../samples/plivo.ts'
import * as polar from '../samples/polar.ts'
import * as postmark from '../samples/postmark.ts'
import * as razorpay from '../samples/razorpay.ts'
import * as recurly from '../samples/recurly.ts'
import * as resend from '../samples/resend.ts'
import * as revenuecat from '../samples/revenuecat.ts'
import * as salesforceOutbound from '../samples/salesforce-outbound.ts'
import type { SampleModule } from '../samples/sample.ts'
import * as sanity from '../samples/sanity.ts'
import * as segment from '../samples/segment.ts'
import * as sendgrid from '../samples/sendgrid.ts'
import * as sentry from '../samples/sentry.ts'
import * as shippo from '../samples/shippo.ts'
import * as shopify from '../samples/shopify.ts'
import * as slack from '../samples/slack.ts'
import * as square from '../samples/square.ts'
import * as standardWebhooks from '../samples/standard-webhooks.ts'
import * as stripe from '../samples/stripe.ts'
import * as supabaseAuthHooks from '../samples/supabase-auth-hooks.ts'
import * as svix from '../samples/svix.ts'
import * as telegram from '../samples/telegram.ts'
import * as telnyx from '../samples/telnyx.ts'
import * as trello from '../samples/trello.ts'
import * as twilio from '../samples/twilio.ts'
import * as twitchEventsub from '../samples/twitch-eventsub.ts'
import * as typeform from '../samples/typeform.ts'
import * as vercel from '../samples/vercel.ts'
import * as viber from '../samples/viber.ts'
import * as vonage from '../samples/vonage.ts'
import * as webflow from '../samples/webflow.ts'
import * as whatsapp from '../samples/whatsapp.ts'
import * as wise from '../samples/wise.ts'
import * as woocommerce from '../samples/woocommerce.ts'
import * as workos from '../samples/workos.ts'
import * as xero from '../samples/xero.ts'
import * as zendesk from '../samples/zendesk.ts'
import * as zoom from '../samples/zoom.ts'
import type { ProviderName } from './provider-name.ts'

/** The samples of every provider, by the name of its function. */
export const sampleList: Readonly<Record<ProviderName, SampleModule>> = {
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
