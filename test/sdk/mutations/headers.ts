import type { Delivery } from '../../../src/delivery/delivery.ts'
import { type Mutation, named, type Subject } from './mutation.ts'
import { signatureIn, withSignature, wrong } from './signatures.ts'

/** Requests whose headers are written differently, or more than once. */
export const changedHeaders: readonly Mutation[] = [
  ...named<(name: string) => string>(
    {
      'header names in upper case': (name) => name.toUpperCase(),
      'header names in title case': (name) => name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()),
    },
    (rename) => ({ change: (delivery) => renamed(delivery, rename) }),
  ),
  ...named<(value: string, other: string) => readonly string[]>(
    {
      'the proof sent twice': (value) => [value, value],
      'the proof sent after a wrong one': (value, other) => [other, value],
      'the proof sent before a wrong one': (value, other) => [value, other],
      'the proof sent before an empty one': (value) => [value, ''],
    },
    (valuesOf) => ({
      isMeantFor: ({ adapter }) => adapter.proof.header !== undefined,
      change: (delivery, random, { adapter: { proof } }) => {
        const value = proof.read(delivery)
        const headers = new Map(delivery.headers).set(proof.header ?? '', [...valuesOf(value, wrong(value, random))])
        return { ...delivery, headers }
      },
    }),
  ),
]

/** Several signatures in one header, where the provider sends them so while a secret is being changed. */
export const severalSignatures: readonly Mutation[] = named<(right: string, other: () => string) => readonly string[]>(
  {
    'the right signature first of two': (right, other) => [right, other()],
    'the right signature last of two': (right, other) => [other(), right],
    'the right signature last of five': (right, other) => [other(), other(), other(), other(), right],
    'the right signature after thirty': (right, other) => [...Array.from({ length: 30 }, other), right],
    'the right signature twice in the list': (right) => [right, right],
    'two wrong signatures': (_right, other) => [other(), other()],
    'an empty signature before the right one': (right) => ['', right],
  },
  (listOf) => ({
    isMeantFor: ({ adapter }) => adapter.proof.list !== undefined,
    change: (delivery, random, { adapter: { proof } }) => {
      const value = proof.read(delivery)
      const { separator = '', entry = String } = proof.list ?? {}
      const right = signatureIn(value)
      const list = listOf(right, () => signatureIn(wrong(value, random)))
      return proof.write(delivery, value.replace(entry(right), list.map(entry).join(separator)))
    },
  }),
)

/** The right signature under a name or version that means something else. */
export const otherVersions: readonly Mutation[] = named<(entry: string) => string>(
  {
    'the right signature under an unknown version': (entry) => entry.replace(/\d+/, '9'),
    'the right signature under an older version': (entry) => entry.replace(/\d+/, '0'),
    'the right signature without a version': (entry) => signatureIn(entry),
    'the right signature under a version in upper case': (entry) =>
      withSignature(entry.toUpperCase(), () => signatureIn(entry)),
  },
  (change) => ({
    isMeantFor: ({ adapter }) => hasVersion(adapter.proof.list),
    change: (delivery, _random, { adapter: { proof } }) => {
      const value = proof.read(delivery)
      const entry = proof.list?.entry(signatureIn(value)) ?? value
      return proof.write(delivery, value.replace(entry, change(entry)))
    },
  }),
)

function hasVersion(list: Subject['adapter']['proof']['list']): boolean {
  return list !== undefined && list.entry('') !== ''
}

function renamed(delivery: Delivery, rename: (name: string) => string): Delivery {
  return { ...delivery, headers: new Map([...delivery.headers].map(([name, values]) => [rename(name), values])) }
}
