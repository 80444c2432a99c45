// Runs the examples of the providers' pages, one after the other, and delivers a signed event to each inbox.
// Takes the compiled examples as JSON: pairs of a name and a file. Prints what became of each.
import process from 'node:process'
import { loadProvider } from '../../src/cli/provider-catalogue.ts'
import { keyKind } from '../../src/cli/provider-page.ts'
import type { Inbox } from '../../src/index.ts'
import { generateKeys } from '../../src/testing/provider-keys.ts'
import { loadSamples } from '../../src/testing/samples/index.ts'

const examples = JSON.parse(process.argv[2] ?? '[]') as readonly (readonly [string, string])[]

for (const [name, file] of examples) {
  // Some allow a signature only seconds.
  const at = new Date()
  const make = await loadProvider(name)
  if (make === undefined) throw new Error(`There is no provider ${name}.`)
  const kind = keyKind(make)
  const keys = kind === 'fetched' ? {} : generateKeys(name, make, at)
  const variable = name.replaceAll('-', '_').toUpperCase()
  if (keys.secret !== undefined) process.env[`${variable}_WEBHOOK_SECRET`] = keys.secret
  if (keys.publicKey !== undefined) process.env[`${variable}_PUBLIC_KEY`] = keys.publicKey

  const { inbox } = (await import(file)) as { readonly inbox: Inbox<unknown> }
  if (kind === 'fetched') console.log(`${name} starts`)
  else {
    const event = (await loadSamples(name)).make({ at })
    const outcome = await inbox.receive(name, make(keys).sign(event, at))
    const { processed } = await inbox.drain()
    console.log(`${name} ${outcome.kind} ${processed}`)
  }
  await inbox.close()
}
process.exit(0)
