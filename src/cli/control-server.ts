import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isOncehookError } from '../index.ts'
import { type Control, type ControlAddress, decode, encode, eventsPath, verbs } from './control-protocol.ts'
import { sentenceOf } from './failure.ts'
import { type Home, readJsonFile, writePrivately } from './home.ts'
import { type LiveFeed, streamEvents } from './live-feed.ts'

/** The name of a Unix socket has room for about a hundred bytes, whatever the path to the project is. */
const longestSocketPath = 100

const mostRequestBytes = 1024 * 1024

/** Serves commands from other terminals of the same user. Returns a function that ends it. */
export async function serveControl(
  control: Control,
  {
    home,
    subscribe,
    ...about
  }: { readonly home: Home } & Pick<LiveFeed, 'subscribe'> & Pick<ControlAddress, 'url' | 'store'>,
): Promise<() => Promise<void>> {
  const token = randomBytes(32).toString('hex')
  const socket = await chooseSocket(home)
  const server = createServer((request, response) => void answer(control, { token, subscribe, request, response }))
  await listen(server, socket)
  const processId = process.pid
  await writePrivately(home.control, { processId, socket, token, ...about } satisfies ControlAddress)

  return async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
    // Another receiver may have started in this directory since, on a database that several can share.
    if ((await readJsonFile(home.control))?.['processId'] === processId) await rm(home.control, { force: true })
    if (dirname(socket) !== home.folder && process.platform !== 'win32') {
      await rm(dirname(socket), { recursive: true, force: true })
    }
  }
}

async function chooseSocket(home: Home): Promise<string> {
  const name = `control-${process.pid}.sock`
  if (process.platform === 'win32') return String.raw`\\.\pipe\oncehook-${randomBytes(16).toString('hex')}`
  const beside = join(home.folder, name)
  if (Buffer.byteLength(beside) <= longestSocketPath) {
    // Left by a process that was killed and had the same number.
    await rm(beside, { force: true })
    return beside
  }
  return join(await mkdtemp(join(tmpdir(), 'oncehook-')), name)
}

async function listen(server: Server, socket: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, () => resolve())
  })
  if (process.platform !== 'win32') await chmod(socket, 0o600)
}

type Exchange = Pick<LiveFeed, 'subscribe'> & {
  readonly token: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Never rejects: what goes wrong is the answer. */
async function answer(control: Control, { token, subscribe, request, response }: Exchange): Promise<void> {
  const reply = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(encode(body))
  }
  try {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) return reply(401, { error: 'not allowed' })
    if (request.url === eventsPath && request.method === 'GET') return streamEvents(subscribe, encode, response)
    const verb = verbs.find((name) => request.url === `/${name}`)
    if (verb === undefined || request.method !== 'POST') return reply(404, { error: 'no such verb' })
    const given = decode(await readText(request))
    const work = control[verb] as (...given: readonly unknown[]) => Promise<unknown>
    reply(200, { result: await work(...(given as readonly unknown[])) })
  } catch (error) {
    reply(500, { error: sentenceOf(error), code: isOncehookError(error) ? error.code : undefined })
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > mostRequestBytes) throw new Error('The request is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
