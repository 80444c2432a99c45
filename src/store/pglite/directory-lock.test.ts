import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { takeDirectoryLock } from './directory-lock.ts'
import { identifyThisProcess, type ProcessIdentity } from './process-identity.ts'

let folder: string
const here = identifyThisProcess()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oncehook-lock-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function leaveLockOf(owner: ProcessIdentity): void {
  writeFileSync(join(folder, '7'), JSON.stringify(owner))
}

describe('the lock of a directory', () => {
  test('is refused to a second store in the same process', () => {
    takeDirectoryLock({ folder, subject: './inbox' })

    expect(() => takeDirectoryLock({ folder, subject: './inbox' })).toThrow(
      /\.\/inbox is in use by another store in this process/,
    )
  })

  test('can be taken again once it was given back, any number of times', () => {
    for (let round = 0; round < 5; round += 1) takeDirectoryLock({ folder, subject: './inbox' }).release()

    expect(readdirSync(folder)).toEqual(['5.free'])
  })

  test('is given back only once, so that it is never taken from the next owner', () => {
    const first = takeDirectoryLock({ folder, subject: './inbox' })
    first.release()
    takeDirectoryLock({ folder, subject: './inbox' })

    first.release()

    expect(existsSync(join(folder, '2'))).toBe(true)
  })

  test('is taken over from a process that is gone', () => {
    leaveLockOf({ ...here, pid: 2 ** 22 + 1 })

    takeDirectoryLock({ folder, subject: './inbox' })

    expect(readdirSync(folder)).toEqual(['8'])
  })

  test('is taken over when its pid now belongs to a process that started at another time', () => {
    leaveLockOf({ ...here, pid: process.ppid, startedAt: 'long ago' })

    takeDirectoryLock({ folder, subject: './inbox' })

    expect(readdirSync(folder)).toEqual(['8'])
  })

  test('is not taken from an owner in another container, who cannot be seen from here', () => {
    leaveLockOf({ ...here, host: 'other', namespace: 'pid:[1]' })

    expect(() => takeDirectoryLock({ folder, subject: './inbox' })).toThrow(
      /cannot be seen whether that one still runs/,
    )
    expect(readdirSync(folder)).toEqual(['7'])
  })

  test('is not taken when its record cannot be read', () => {
    writeFileSync(join(folder, '7'), '')

    expect(() => takeDirectoryLock({ folder, subject: './inbox' })).toThrow(join(folder, '7'))
  })
})
