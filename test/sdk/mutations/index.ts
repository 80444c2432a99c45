import { bodies } from './bodies.ts'
import { changedBodies } from './changed-body.ts'
import { changedHeaders, otherVersions, severalSignatures } from './headers.ts'
import type { Mutation } from './mutation.ts'
import { changedProofs, changedSignatures } from './signatures.ts'
import { times } from './times.ts'
import { changedUrls } from './urls.ts'

const keys: readonly Mutation[] = [
  { name: 'signed with a wrong key', prepare: () => ({ signedWith: 1 }) },
  { name: 'signed with the second of two keys', prepare: () => ({ signedWith: 1, expected: [0, 1] }) },
  { name: 'signed with the first of two keys', prepare: () => ({ expected: [0, 1] }) },
]

const signers: readonly Mutation[] = [
  { name: 'nothing changed' },
  {
    name: 'signed by the library',
    isMeantFor: ({ canSign }) => canSign,
    prepare: () => ({ signer: 'library' }),
  },
  {
    name: 'signed by the library with a wrong key',
    isMeantFor: ({ canSign }) => canSign,
    prepare: () => ({ signer: 'library', signedWith: 1 }),
  },
]

/** Every way to make a request. Each provider gets those that mean something for it, in turns. */
export const mutations: readonly Mutation[] = [
  ...signers,
  ...keys,
  ...bodies,
  ...changedBodies,
  ...changedSignatures,
  ...changedProofs,
  ...changedHeaders,
  ...severalSignatures,
  ...otherVersions,
  ...times,
  ...changedUrls,
]
