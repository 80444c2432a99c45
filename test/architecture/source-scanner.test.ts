import { describe, expect, test } from 'vitest'
import { importsOf, literalsOf } from './source-scanner.ts'

describe('imports of a file', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['a plain import', `import { a } from './a.ts'`, ['value ./a.ts']],
    [
      'a default, a namespace and both',
      `import a, * as b from "./a.ts"\nimport c from './c.ts'`,
      ['value ./a.ts', 'value ./c.ts'],
    ],
    ['an import for its effect', `import './a.ts'`, ['value ./a.ts']],
    ['an import over several lines', `import {\n  a,\n  b as from,\n} from './a.ts'`, ['value ./a.ts']],
    [
      'a type import',
      `import type { A } from './a.ts'\nimport type * as B from './b.ts'`,
      ['type ./a.ts', 'type ./b.ts'],
    ],
    ['a type import over several lines', `import type {\n  A,\n  B,\n} from './a.ts'`, ['type ./a.ts']],
    [
      'an import whose name is type',
      `import type from './a.ts'\nimport type, { b } from './b.ts'`,
      ['value ./a.ts', 'value ./b.ts'],
    ],
    ['types inside a value import', `import { type A, type B } from './a.ts'`, ['value ./a.ts']],
    ['attributes', `import data from './a.json' with { type: 'json' }`, ['value ./a.json']],
    [
      'names passed on',
      `export { a } from './a.ts'\nexport * from './b.ts'\nexport * as c from './c.ts'`,
      ['value ./a.ts', 'value ./b.ts', 'value ./c.ts'],
    ],
    ['types passed on', `export type { A } from './a.ts'\nexport type * from './b.ts'`, ['type ./a.ts', 'type ./b.ts']],
    ['names passed on over several lines', `export {\n  a,\n  type B,\n} from './a.ts'`, ['value ./a.ts']],
    [
      'exports of its own',
      `export { a, b }\nexport type A = { b: string }\nexport const from = 'x'\nexport default a`,
      [],
    ],
    ['a dynamic import', `const { Pool } = await import('pg')`, ['dynamic pg']],
    ['a dynamic import over several lines', 'import(\n  // lazily\n  `pg`,\n)', ['dynamic pg']],
    ['a dynamic import inside a template', 'const a = `${await import("pg")}`', ['dynamic pg']],
    [
      'a computed dynamic import',
      'await import(name); await import(`./${name}.ts`); await import("./" + name)',
      ['dynamic ?', 'dynamic ?', 'dynamic ?'],
    ],
    ['the type of a module', `type Pg = typeof import('pg')`, ['type pg']],
    ['require', `const pg = require('pg')`, ['require pg']],
    ['import.meta', `const here = import.meta.url`, []],
    ['a method of that name', `loader.import('./a.ts'); loader.require('b')`, []],
    [
      'comments',
      `// import a from './a.ts'\n/* import('b')\n export * from './c.ts' */\n/** {@link import('d')} */`,
      [],
    ],
    ['texts', `const a = "import b from './b.ts'"\nconst c = \`export * from './d.ts'\``, []],
    ['a regular expression with quotes', `const a = /['"\`/]/.test(b)\nimport './c.ts'`, ['value ./c.ts']],
    ['a regular expression with a slash in a class', `return /[/'*]/g\nimport './c.ts'`, ['value ./c.ts']],
    ['a division', `const a = b / c; const d = (e) / f['g'] / 2\nimport './h.ts'`, ['value ./h.ts']],
    ['an escaped quote', `const a = 'it\\'s'\nimport './b.ts'`, ['value ./b.ts']],
    ['nested templates', 'const a = `${b ? `{ ${c} }` : "}"} \\` \\${`\nimport "./d.ts"', ['value ./d.ts']],
    ['an interpreter line', `#!/usr/bin/env node\nimport './a.ts'`, ['value ./a.ts']],
    ['a file that does not compile', `} } import './a.ts' \``, ['value ./a.ts']],
  ]

  test.each(cases)('%s', (_, source, expected) => {
    const imports = importsOf(source)

    expect(imports.map(({ kind, specifier = '?' }) => `${kind} ${specifier}`)).toEqual(expected)
  })

  test('carry the line of the module name', () => {
    const imports = importsOf(`/* one\ntwo */\nimport {\n  a,\n} from './a.ts'\n\nawait import('b')`)

    expect(imports.map(({ line }) => line)).toEqual([5, 7])
  })
})

describe('literals of a file', () => {
  test('leave out comments and names of modules', () => {
    const literals = literalsOf(
      `import { a } from './a.ts' // 'comment'\nexport * from "./b.ts"\nimport './c.ts'\nf('text')`,
    )

    expect(literals).toEqual([{ text: 'text', line: 4 }])
  })

  test('read a template with holes as one text, and the texts in its holes after it', () => {
    const literals = literalsOf('const sql = `\n  select ${columns("id")}\n  from ${schema}.receipts`')

    expect(literals.map(({ text }) => text)).toEqual(['\n  select ${}\n  from ${}.receipts', 'id'])
  })

  test('join what a plus joins', () => {
    const literals = literalsOf(`f('insert ' +\n  "into " + \`receipts\`, 'other')`)

    expect(literals).toEqual([
      { text: 'insert into receipts', line: 1 },
      { text: 'other', line: 2 },
    ])
  })
})
