import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { dashboardBuild } from '../support/dashboard-build.ts'

/** All that a browser loads, compressed. What it is now leaves room for growing, and none for a second framework. */
const mostBytes = 150 * 1024

let files: readonly { readonly name: string; readonly content: Buffer }[]

beforeAll(async () => {
  const folder = await dashboardBuild()
  files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, content: readFileSync(join(parentPath, name)) }))
})

describe('the built dashboard', () => {
  test('stays within its budget', () => {
    const bytes = files.reduce((sum, { content }) => sum + gzipSync(content).length, 0)

    expect(bytes).toBeLessThan(mostBytes)
    expect(bytes).toBeGreaterThan(20 * 1024)
  })

  test('has nothing inline, and relative addresses only', () => {
    const page = String(files.find(({ name }) => name === 'index.html')?.content)

    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i)
    expect([...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\.\/assets\/.+\.js$/),
        expect.stringMatching(/^\.\/assets\/.+\.css$/),
      ]),
    )
    expect(page).not.toMatch(/(?:src|href)="(?!\.\/)/)
  })

  test('names no other host in its styles', () => {
    const styles = files.filter(({ name }) => name.endsWith('.css')).map(({ content }) => String(content))

    expect(styles).toHaveLength(1)
    expect(styles[0]).not.toMatch(/url\(|@import|https?:/)
  })
})
