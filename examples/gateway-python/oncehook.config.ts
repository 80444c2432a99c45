import { defineConfig } from 'oncehook/config'
import { stripe } from 'oncehook/providers/stripe'

export default defineConfig({
  database: process.env.DATABASE_URL,
  sources: {
    stripe: {
      provider: stripe({ secret: process.env.STRIPE_WEBHOOK_SECRET }),
      forward: {
        to: `${process.env.APP_URL}/hooks`,
        secret: process.env.FORWARD_SECRET ?? '',
        allowPrivateAddresses: true, // the app is on this machine
      },
    },
  },
  // An app on the same machine is soon back: the default is to ask again after 10 seconds.
  retry: { firstSeconds: 1 },
  // What a killed gateway held is taken over after this time.
  worker: { leaseSeconds: 5 },
})
