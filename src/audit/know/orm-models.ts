import { type Chain, lastCall, type Recogniser } from '../run/chain.ts'
import { emit, type Machine } from '../run/machine.ts'
import type { StoreStep } from '../run/step.ts'
import { has, memberNamed, unknown, type Value } from '../run/value.ts'
import { connectionOf, fateOfCall } from './connections.ts'
import { isReceipt } from './statements.ts'

type Kind = StoreStep['kind']

/** Methods of models in Prisma, TypeORM, Mongoose, Sequelize and the driver of MongoDB. */
const methods: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    findUnique: 'lookup',
    findFirst: 'lookup',
    findOne: 'lookup',
    findOneBy: 'lookup',
    findById: 'lookup',
    findByPk: 'lookup',
    exists: 'lookup',
    existsBy: 'lookup',
    exist: 'lookup',
    count: 'lookup',
    countBy: 'lookup',
    countDocuments: 'lookup',
    create: 'record',
    createMany: 'record',
    insert: 'record',
    insertOne: 'record',
    insertMany: 'record',
    bulkCreate: 'record',
    save: 'record',
    upsert: 'record',
    findOrCreate: 'record',
    update: 'write',
    updateOne: 'write',
    updateMany: 'write',
    findOneAndUpdate: 'write',
    findByIdAndUpdate: 'write',
    increment: 'write',
    decrement: 'write',
    delete: 'erase',
    deleteOne: 'erase',
    deleteMany: 'erase',
    destroy: 'erase',
  } as const),
)

/** Calls such as `prisma.processedEvent.create({ data })`, `repository.findOne({ where })`, `Model.exists({ eventId })`. */
export const models: Recogniser = (machine, chain) => {
  const call = lastCall(chain)
  const [name, ...modifiers] = calledNames(chain)
  const kind = name === undefined ? undefined : methods.get(name)
  if (
    call === undefined ||
    kind === undefined ||
    modifiers.some((modifier) => !/^(?:lean|exec|session|select|orFail)$/.test(modifier))
  )
    return undefined
  const method = chain.links.find((link) => link.name === name)
  const target = modelOf(machine, chain)
  if (target === undefined || method?.values === undefined) return undefined
  const entity = method.values.find((value) => value.class !== undefined || /^[A-Z]/.test(nameIn(value.label)))
  const given = method.values.filter((value) => value !== entity)
  const row = rowOf(kind, given[0], chain.root)
  if (row === undefined) return undefined
  const step = emit(machine, method.node, {
    kind: isUpsert(name, given) ? 'record' : kind,
    table: entity === undefined ? target.table : entityName(entity, target.table),
    isNameSure: entity !== undefined || target.isNameSure,
    store: 'database',
    ...fateOfCall(machine, chain, target.connection),
    key: keyOf(row),
    isAtomic: isAtomic(name, given),
    isReceipt: kind === 'record' && isReceipt([...row.keys()], [...row.values()]),
    expires: false,
  })
  return step === undefined ? unknown : { ...unknown, about: new Map([[step.number, 'present']]) }
}

/** The methods in the order in which they are called, without those that only choose the model. */
function calledNames({ links }: Chain): readonly string[] {
  return links.flatMap(({ name, values }) =>
    values === undefined || name === undefined || ['collection', 'getRepository', 'model'].includes(name) ? [] : [name],
  )
}

type Model = { readonly table: string; readonly connection: Value; readonly isNameSure: boolean }

/** The model before the method, and what it hangs on: `prisma` and `processedEvent`, or `this.events` alone. */
function modelOf(machine: Machine, chain: Chain): Model | undefined {
  const { links, rootName } = chain
  const named = links.find(({ name }) => name === 'collection' || name === 'getRepository' || name === 'model')
    ?.values?.[0]
  if (named !== undefined)
    return {
      table: String(named.literal ?? nameIn(named.label)),
      connection: connectionOf(machine, chain),
      isNameSure: true,
    }
  const firstCall = links.findIndex(({ values }) => values !== undefined)
  const before = links.slice(0, firstCall).at(-1)?.name
  if (before !== undefined)
    return {
      table: before,
      connection: connectionOf(machine, chain, 1),
      isNameSure: firstCall > 1 || chain.root.instance === undefined,
    }
  return rootName === undefined && chain.root.label === undefined
    ? undefined
    : { table: rootName ?? nameIn(chain.root.label), connection: chain.root, isNameSure: true }
}

/** The columns of a row, as they are searched for or written. */
function rowOf(kind: Kind, given: Value | undefined, root: Value): ReadonlyMap<string, Value> | undefined {
  if (given === undefined) return root.members
  if (given.items?.[0] !== undefined) return rowOf(kind, given.items[0], root)
  const inner = memberNamed(given, 'where', 'data', 'create')
  const row = kind === 'record' ? (memberNamed(given, 'data', 'create') ?? given) : (inner ?? given)
  if (row.members === undefined) return has(row, 'event-id', 'body-hash') ? new Map([['id', row]]) : undefined
  return new Map(
    [...row.members].flatMap(([name, value]) =>
      name.includes('_') && value.members !== undefined ? [...value.members] : [[name, value] as const],
    ),
  )
}

function keyOf(row: ReadonlyMap<string, Value>): Value | undefined {
  const values = [...row.values()]
  return values.find((value) => has(value, 'event-id')) ?? values.find((value) => has(value, 'body-hash')) ?? values[0]
}

function isUpsert(name: string | undefined, given: readonly Value[]): boolean {
  return (
    (name === 'findOneAndUpdate' || name === 'updateOne') &&
    given.some((value) => memberNamed(value, 'upsert') !== undefined)
  )
}

function isAtomic(name: string | undefined, given: readonly Value[]): boolean {
  const ignores = given.some(
    (value) => memberNamed(value, 'skipDuplicates', 'ignoreDuplicates', 'upsert') !== undefined,
  )
  return name === 'upsert' || name === 'findOrCreate' || ignores
}

function nameIn(label: string | undefined): string {
  return label?.split(/[:.#]/).at(-1) ?? ''
}

function entityName(entity: Value, otherwise: string): string {
  return entity.class?.node.id?.name ?? nameIn(entity.label ?? otherwise)
}
