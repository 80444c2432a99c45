import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { startContestant } from '../child.ts'
import { type BenchDatabase, createDatabase } from '../databases.ts'
import type { ServerContender } from '../measure-server.ts'
import { readMemory } from '../processor-time.ts'
import { interleave, type Section } from '../section.ts'
import { sendBody, sendEvent } from '../send-event.ts'
import { oncehookQueued, seedQueued } from '../servers.ts'
import type { Stage } from '../stage.ts'
import { eventBody, secret } from '../stripe-events.ts'

const megabyte = 1024 * 1024

/** Bodies that are far larger than usual. Every server may say 503 and when to try again; then it is sent again. */
export const bodies: Section = {
  name: 'bodies',
  title: 'Large bodies: all accepted, and the memory it took',
  metrics: [
    { key: 'peakMegabytes', title: 'peak MB', digits: 0 },
    { key: 'idleMegabytes', title: 'idle MB', digits: 0 },
    { key: 'seconds', title: 'seconds', digits: 2 },
    { key: 'accepted', title: 'accepted', digits: 0 },
    { key: 'sentAgain', title: 'sent again', digits: 0 },
  ],
  contenders: [seedQueued, oncehookQueued],
  baseline: seedQueued.key,
  async run({ stage, settings, say, record }) {
    const atOnce = settings.largeBodies
    const contenders = settings.name === 'quick' ? [oncehookQueued] : [seedQueued, oncehookQueued]
    await interleave(settings, contenders, async (contender, round) => {
      say(`${atOnce} × 1 MB, ${contender.title}, round ${round}`)
      const sends = Array.from(
        { length: atOnce },
        (_, serial) => (port: number) => sendEvent({ port, serial, bytes: megabyte }),
      )
      const values = await measureBodies(stage, contender, sends)
      record({ scene: `${atOnce} of 1 MB at once`, contender: contender.key, round, values })
    })
    await interleave(settings, [oncehookQueued], async (contender, round) => {
      say(`25 MB, round ${round}`)
      const values = await measureBodies(stage, contender, [sendToGithub])
      record({ scene: 'one of 25 MB (GitHub)', contender: contender.key, round, values })
    })
  },
}

type Send = (port: number) => Promise<{ readonly status: number; readonly retryAfterSeconds: number }>

async function measureBodies(
  stage: Stage,
  contender: ServerContender,
  sends: readonly Send[],
): Promise<Readonly<Record<string, number>>> {
  const database = await createDatabase(stage.postgres)
  const environment = { ...stage.environment, DATABASE_URL: database.url }
  const server = startContestant({ file: contender.file, node: stage.nodes.server, environment })
  try {
    const { port = 0 } = await server.hear('listening')
    const idleMegabytes = readMemory(server.processId).now
    const startedAt = performance.now()
    const tries = await Promise.all(sends.map((send) => sendUntilAccepted(send, port)))
    const seconds = (performance.now() - startedAt) / 1000
    const peakMegabytes = readMemory(server.processId).peak
    const sentAgain = tries.reduce((total, one) => total + one - 1, 0)
    await checkAllStored(database, contender, sends.length)
    return { peakMegabytes, idleMegabytes, seconds, accepted: sends.length, sentAgain }
  } finally {
    await server.stop()
    await database.drop()
  }
}

/** How often it had to be sent. */
async function sendUntilAccepted(send: Send, port: number): Promise<number> {
  for (let tries = 1; tries <= 20; tries += 1) {
    const { status, retryAfterSeconds } = await send(port)
    if (status === 202) return tries
    if (status !== 503) throw new Error(`A large body was answered with ${status}.`)
    await wait(retryAfterSeconds * 1000)
  }
  throw new Error('A large body was refused 20 times.')
}

async function checkAllStored(
  database: BenchDatabase,
  { counts, title }: ServerContender,
  count: number,
): Promise<void> {
  for (const text of counts) {
    const stored = await database.number(text)
    if (stored !== count) throw new Error(`${title} stored ${stored} of ${count} large bodies ("${text}").`)
  }
}

function sendToGithub(port: number): ReturnType<Send> {
  const body = Buffer.from(eventBody(0, 25 * megabyte))
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = {
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${signature}`,
  }
  return sendBody({ port, path: '/in/github', headers, body })
}
