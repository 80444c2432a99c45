import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { systemCodeOf } from '../failure.ts'

/** What a Redis says of itself. */
export type RedisFacts =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | {
      readonly kind: 'reached'
      readonly role: string
      /** 0 without a limit. */
      readonly maximumBytes: number
      readonly usedBytes: number
      readonly evictionPolicy: string
      readonly isAppendOnly: boolean
      /** Undefined where the server does not tell, as hosted ones. */
      readonly appendFsync: string | undefined
    }

const patienceMilliseconds = 5000

/** Asks without a client library, which need not be installed where this runs. The reason never holds the address, which may have a password. */
export async function readRedisFacts(address: string): Promise<RedisFacts> {
  let socket: Socket | undefined
  try {
    const url = new URL(address)
    socket = open(url)
    const patience = setTimeout(() => socket?.destroy(new Error('it did not answer in time')), patienceMilliseconds)
    const ask = createAsker(socket)
    try {
      if (url.password !== '') {
        const user = url.username === '' ? [] : [decodeURIComponent(url.username)]
        await ask(['AUTH', ...user, decodeURIComponent(url.password)])
      }
      const info = fieldsOf(await ask(['INFO']))
      const fsync = await ask(['CONFIG', 'GET', 'appendfsync']).catch(() => '')
      return factsOf(info, fsync)
    } finally {
      clearTimeout(patience)
    }
  } catch (error) {
    return {
      kind: 'unreachable',
      reason: systemCodeOf(error) ?? (error instanceof Error ? error.message : String(error)),
    }
  } finally {
    socket?.destroy()
  }
}

function open({ protocol, hostname, port }: URL): Socket {
  const place = { host: hostname, port: port === '' ? 6379 : Number(port) }
  return protocol === 'rediss:' ? connectTls({ ...place, servername: hostname }) : connectPlain(place)
}

function factsOf(info: ReadonlyMap<string, string>, fsync: string): RedisFacts {
  return {
    kind: 'reached',
    role: info.get('role') ?? 'unknown',
    maximumBytes: Number(info.get('maxmemory') ?? 0),
    usedBytes: Number(info.get('used_memory') ?? 0),
    evictionPolicy: info.get('maxmemory_policy') ?? 'unknown',
    isAppendOnly: info.get('aof_enabled') === '1',
    appendFsync: /always|everysec|no/.exec(fsync.replace('appendfsync', ''))?.[0],
  }
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':')
      return colon === -1 || line.startsWith('#') ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const]
    }),
  )
}

type Ask = (command: readonly string[]) => Promise<string>

/** One command at a time. Lists are answered as their texts, one to a line. */
function createAsker(socket: Socket): Ask {
  let received = Buffer.alloc(0)
  let failure: Error | undefined
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part])
    socket.emit('answer')
  })
  socket.on('error', (error) => {
    failure = error
    socket.emit('answer')
  })
  socket.on('close', () => {
    failure ??= new Error('it closed the connection')
    socket.emit('answer')
  })
  return async (command) => {
    received = Buffer.alloc(0)
    const parts = command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
    socket.write(`*${command.length}\r\n${parts.join('')}`)
    for (;;) {
      const reply = readReply(received, 0)
      if (reply?.isError === true) throw new Error(`it answered ${reply.text.split(' ')[0]}`)
      if (reply !== undefined) return reply.text
      if (failure !== undefined) throw failure
      await once(socket, 'answer')
    }
  }
}

type Reply = { readonly text: string; readonly isError: boolean; readonly end: number }

/** The reply that begins there, or undefined if not all of it has come. */
function readReply(bytes: Buffer, from: number): Reply | undefined {
  const lineEnd = bytes.indexOf('\r\n', from)
  if (lineEnd === -1) return undefined
  const line = bytes.toString('utf8', from + 1, lineEnd)
  const next = lineEnd + 2
  switch (String.fromCharCode(bytes[from] ?? 0)) {
    case '$': {
      const length = Math.max(0, Number(line))
      const end = Number(line) < 0 ? next : next + length + 2
      return bytes.length < end ? undefined : { text: bytes.toString('utf8', next, next + length), isError: false, end }
    }
    case '*': {
      const texts: string[] = []
      let at = next
      for (let count = Number(line); count > 0; count -= 1) {
        const item = readReply(bytes, at)
        if (item === undefined) return undefined
        texts.push(item.text)
        at = item.end
      }
      return { text: texts.join('\n'), isError: false, end: at }
    }
    default:
      return { text: line, isError: bytes[from] === '-'.charCodeAt(0), end: next }
  }
}
