import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import {
  int8,
  int16,
  int32,
  int64,
  type KafkaRecord,
  list,
  type RecordBatch,
  readRecordBatch,
  string,
  type WireReader,
  wireReader,
} from './kafka-wire.ts'

/** Plays a Kafka of one broker and two partitions per topic, as far as a producer can tell. */
export type KafkaBroker = {
  readonly address: string
  /** What is stored in a topic, partition by partition. */
  readonly records: (topic: string) => readonly KafkaRecord[]
  /** Stores the next batch, and breaks the connection instead of saying so. */
  readonly loseNextAnswer: () => void
  readonly goAway: () => Promise<void>
  readonly comeBack: () => Promise<void>
}

type Partition = { readonly records: KafkaRecord[]; readonly sequences: Map<bigint, ProducerState> }

/** What a broker remembers of an idempotent producer: the number it expects next, and the batches that it has. */
type ProducerState = { next: number; readonly batches: Map<string, bigint> }

const apiKeys = { produce: 0, metadata: 3, apiVersions: 18, initProducerId: 22 }
const supported = [
  [apiKeys.produce, 3, 3],
  [apiKeys.metadata, 1, 1],
  [apiKeys.apiVersions, 0, 2],
  [apiKeys.initProducerId, 0, 0],
] as const
const errors = { none: 0, messageTooLarge: 10, outOfOrderSequenceNumber: 45 }
const partitionCount = 2
const noProducer = -1n

/** A batch with a value that is longer is refused, as by a broker whose `max.message.bytes` it exceeds. */
export const longestValue = 1000

export async function startKafkaBroker(): Promise<KafkaBroker> {
  const topics = new Map<string, readonly Partition[]>()
  const sockets = new Set<Socket>()
  let isAnswerLost = false
  let nextProducerId = 1000n
  let server: Server
  let port = 0

  const listen = async (): Promise<void> => {
    server = createServer(serve).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const goAway = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const partitionsOf = (topic: string): readonly Partition[] => {
    const found =
      topics.get(topic) ?? Array.from({ length: partitionCount }, () => ({ records: [], sequences: new Map() }))
    topics.set(topic, found)
    return found
  }

  function serve(socket: Socket): void {
    let pending = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk])
      while (pending.length >= 4 && pending.length >= 4 + pending.readInt32BE()) {
        const end = 4 + pending.readInt32BE()
        answer(socket, wireReader(pending.subarray(4, end)))
        pending = pending.subarray(end)
      }
    })
  }

  function answer(socket: Socket, request: WireReader): void {
    const [apiKey, version, correlationId] = [request.int16(), request.int16(), request.int32()]
    request.string()
    const body = Buffer.concat([int32(correlationId), answerTo(apiKey, version, request)])
    if (apiKey === apiKeys.produce && isAnswerLost) {
      isAnswerLost = false
      socket.destroy()
    } else socket.write(Buffer.concat([int32(body.length), body]))
  }

  function answerTo(apiKey: number, version: number, request: WireReader): Buffer {
    switch (apiKey) {
      case apiKeys.apiVersions: {
        const versions = list(supported.map((numbers) => Buffer.concat(numbers.map(int16))))
        return Buffer.concat([int16(errors.none), versions, version === 0 ? Buffer.alloc(0) : int32(0)])
      }
      case apiKeys.metadata:
        return metadata(request.list(() => request.string() ?? ''))
      case apiKeys.initProducerId:
        nextProducerId += 1n
        return Buffer.concat([int32(0), int16(errors.none), int64(nextProducerId), int16(0)])
      case apiKeys.produce:
        return produce(request)
      default:
        throw new Error(`This broker does not know the request ${apiKey}.`)
    }
  }

  function metadata(names: readonly string[]): Buffer {
    const broker = Buffer.concat([int32(1), string('127.0.0.1'), int32(port), string(undefined)])
    const partition = (index: number): Buffer =>
      Buffer.concat([int16(errors.none), int32(index), int32(1), list([int32(1)]), list([int32(1)])])
    const partitions = list(Array.from({ length: partitionCount }, (_, index) => partition(index)))
    const described = names.map((name) => Buffer.concat([int16(errors.none), string(name), int8(0), partitions]))
    return Buffer.concat([list([broker]), int32(1), list(described)])
  }

  function produce(request: WireReader): Buffer {
    request.string()
    if (request.int16() !== -1) throw new Error('A message of the outbox waits for all replicas.')
    request.int32()
    const stored = request.list(() => {
      const topic = request.string() ?? ''
      const partitions = request.list(() => {
        const index = request.int32()
        const partition = partitionsOf(topic)[index]
        if (partition === undefined) throw new Error(`${topic} has no partition ${index}.`)
        const { error, offset } = append(partition, readRecordBatch(request.bytes(request.int32())))
        return Buffer.concat([int32(index), int16(error), int64(offset), int64(-1n)])
      })
      return Buffer.concat([string(topic), list(partitions)])
    })
    return Buffer.concat([list(stored), int32(0)])
  }

  await listen()
  return {
    address: `127.0.0.1:${port}`,
    records: (topic) => partitionsOf(topic).flatMap(({ records }) => records),
    loseNextAnswer: () => {
      isAnswerLost = true
    },
    goAway,
    comeBack: listen,
  }
}

/** A batch under numbers that it already has is a copy to a broker, whatever stands in it. */
function append(partition: Partition, batch: RecordBatch): { readonly error: number; readonly offset: bigint } {
  const { producerId, firstSequence, records } = batch
  if (records.some(({ value }) => value.length > longestValue)) return { error: errors.messageTooLarge, offset: -1n }
  const offset = BigInt(partition.records.length)
  if (producerId !== noProducer) {
    const state = partition.sequences.get(producerId) ?? { next: 0, batches: new Map<string, bigint>() }
    partition.sequences.set(producerId, state)
    const numbers = `${firstSequence}+${records.length}`
    const known = state.batches.get(numbers)
    if (known !== undefined) return { error: errors.none, offset: known }
    if (firstSequence !== state.next) return { error: errors.outOfOrderSequenceNumber, offset: -1n }
    state.next += records.length
    state.batches.set(numbers, offset)
  }
  partition.records.push(...records)
  return { error: errors.none, offset }
}
