import { type IncomingMessage, request } from 'node:http'
import type { InboxListener } from '../index.ts'
import { type Control, type ControlAddress, decode, encode, eventsPath, type Verb, verbs } from './control-protocol.ts'
import { failed, systemCodeOf } from './failure.ts'
import { type Home, readJsonFile } from './home.ts'
import { readEvents } from './live-feed.ts'

/** A receiver that runs in this directory, in another process. */
export type RunningReceiver = { readonly address: ControlAddress; readonly control: Control }

/** The running receiver, or undefined if none runs here. What a killed one left behind is passed over. */
export async function findReceiver(home: Home): Promise<RunningReceiver | undefined> {
  const address = readAddress(await readJsonFile(home.control))
  if (address === undefined) return undefined
  const control = connectTo(address)
  try {
    await control.find({ limit: 0 })
    return { address, control }
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Hears what happens in a running receiver from now on. `ended`: it has stopped, or was killed. */
export async function followReceiver(
  { socket, token }: ControlAddress,
  listener: InboxListener,
): Promise<{ readonly ended: Promise<void>; readonly close: () => void }> {
  const outgoing = request({ socketPath: socket, path: eventsPath, headers: { authorization: `Bearer ${token}` } })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('error', reject)
    outgoing.once('response', resolve)
    outgoing.end()
  })
  if (response.statusCode !== 200) {
    outgoing.destroy()
    throw failed('The receiver that runs here is of an older version, and tells nothing: start it again.')
  }
  return { ended: readEvents(response, decode, listener), close: () => void outgoing.destroy() }
}

function connectTo(address: ControlAddress): Control {
  const entries = verbs.map((verb) => [verb, (...given: readonly unknown[]) => call(address, verb, given)])
  return Object.fromEntries(entries) as Control
}

function readAddress(content: Readonly<Record<string, unknown>> | undefined): ControlAddress | undefined {
  const isWhole = typeof content?.['socket'] === 'string' && typeof content['token'] === 'string'
  return isWhole ? (content as unknown as ControlAddress) : undefined
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(systemCodeOf(error) ?? '')
}

async function call({ socket, token }: ControlAddress, verb: Verb, given: readonly unknown[]): Promise<unknown> {
  const answer = decode(await post(socket, { path: `/${verb}`, token, body: encode(given) })) as {
    readonly result?: unknown
    readonly error?: string
  }
  if (answer.error !== undefined) throw failed(answer.error)
  return answer.result
}

const patienceMilliseconds = 30_000

function post(
  socketPath: string,
  { path, token, body }: { readonly path: string; readonly token: string; readonly body: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, method: 'POST', headers: { authorization: `Bearer ${token}` } })
    outgoing.once('error', reject)
    outgoing.setTimeout(patienceMilliseconds, () => {
      outgoing.destroy(failed('The receiver that runs here does not answer. Is it paused?'))
    })
    outgoing.once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', reject)
      response.once('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    })
    outgoing.end(body)
  })
}
