import { describe, expect, test } from 'vitest'
import { programName } from './program-name.ts'

describe('the name of this program', () => {
  test.each([
    ['/app/dist/cli/main.js', '/app', 'node dist/cli/main.js'],
    ['/my app/dist/cli/main.js', '/', 'node "my app/dist/cli/main.js"'],
    ['/app/node_modules/.bin/oncehook', '/app', 'npx oncehook'],
    ['/app/node_modules/oncehook/dist/cli/main.js', '/app', 'npx oncehook'],
    ['/usr/local/bin/oncehook', '/app', 'oncehook'],
  ])('for %s called in %s is %s', (script, directory, expected) => {
    expect(programName(script, directory)).toBe(expected)
  })
})
