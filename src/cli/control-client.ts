import { request } from 'node:http'
import { type Control, type ControlAddress, decode, encode, type Verb, verbs } from './control-protocol.ts'
import { failed, systemCodeOf } from './failure.ts'
import { type Home, readJsonFile } from './home.ts'

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
