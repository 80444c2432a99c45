// Writes docs/providers from the declarations: `npm run docs:providers`. A test says when it has to be done again.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { providerNames } from '../src/cli/provider-catalogue.ts'
import { providerIndex, providerPage } from '../src/cli/provider-page.ts'

const folder = new URL('../docs/providers/', import.meta.url)
mkdirSync(folder, { recursive: true })
const pages = new Map([['README.md', await providerIndex()]])
for (const name of providerNames) pages.set(`${name}.md`, await providerPage(name))
for (const file of readdirSync(folder)) if (!pages.has(file)) rmSync(new URL(file, folder))
for (const [file, text] of pages) writeFileSync(new URL(file, folder), text)
console.log(`${pages.size} pages are written.`)
