import { createApp } from './app.js'

const app = await createApp()
const port = Number(process.env.PORT ?? 3000)
await app.listen(port)
console.log(`http://127.0.0.1:${port}/webhooks/twilio`)
