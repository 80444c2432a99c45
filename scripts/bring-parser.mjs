// Puts the text of @babel/parser, with its licence, in the place of dist/audit/syntax/babel-parser.js: the command line reads code with it,
// and whoever installs oncehook gets no dependency for that.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const manifestFile = createRequire(import.meta.url).resolve('@babel/parser/package.json')
const { name, version, main } = JSON.parse(readFileSync(manifestFile, 'utf8'))
const folder = dirname(manifestFile)
const licence = readFileSync(join(folder, 'LICENSE'), 'utf8').trim()
const code = readFileSync(join(folder, main), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
if (/\brequire\(/.test(code)) throw new Error(`${name} ${version} loads other packages, which would be missing.`)

const target = 'dist/audit/syntax/babel-parser.js'
writeFileSync(
  target,
  `/*!\n${name} ${version}\n\n${licence}\n*/\nconst exported = {};\n((exports) => {\n${code}\n})(exported);\nexport const parse = exported.parse;\n`,
)
rmSync(`${target}.map`, { force: true })
