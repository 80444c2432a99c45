// The app, and the gateway once the app listens. In production each has a service of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const app = spawn('python3', ['app.py'], { stdio: ['ignore', 'pipe', 'inherit'] })
app.stdout.pipe(process.stdout)
await once(app.stdout, 'data')

const words = ['node_modules/oncehook/dist/cli/main.js', 'start', '--port', process.env.PORT ?? '4400']
const gateway = spawn(process.execPath, words, { stdio: 'inherit' })

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => gateway.kill(signal))
await once(gateway, 'exit') // it finishes what it forwards first
app.kill()
