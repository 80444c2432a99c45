import type { Delivery, Provider } from '../index.ts'
import { generateKeys, type MakeProvider, type ProviderKeys } from '../testing/provider-keys.ts'
import { loadSamples, type SampleSet } from '../testing/samples/index.ts'
import { loadProvider, providerNames } from './provider-catalogue.ts'
import { deadline, retryWindow, sectionsOf } from './provider-texts.ts'

/** The documentation of one provider: what arrives, how it is verified, what surprised us, and an example. */
export async function providerPage(name: string): Promise<string> {
  const [make, samples] = await Promise.all([loadProvider(name), loadSamples(name)])
  if (make === undefined) throw new Error(`There is no provider ${name}.`)
  const { facts } = make({ unverified: true })
  const sections = sectionsOf(facts).map(({ title, sentences }) => `## ${title}\n\n${sentences.map(bullet).join('\n')}`)
  return `${[
    `# ${facts.title}`,
    `\`oncehook/providers/${name}\` · [the provider’s own documents](${facts.documentation}) · [all providers](README.md)`,
    `\`\`\`ts\n${exampleOf(name, make, samples)}\`\`\``,
    ...ownOptions(facts.ownOptions),
    `## What arrives\n\n\`\`\`http\n${arrivalOf(name, make, samples)}\n\`\`\``,
    ...sections,
    `To send one: \`npx oncehook send ${name} ${samples.types[0]}\`. There are samples of: ${samples.types.map(code).join(', ')}.`,
  ].join('\n\n')}\n`
}

/** The table of all providers. */
export async function providerIndex(): Promise<string> {
  const rows = await Promise.all(
    providerNames.map(async (name) => {
      const facts = (await loadProvider(name))?.({ unverified: true }).facts
      if (facts === undefined) throw new Error(`There is no provider ${name}.`)
      const body = facts.isBodySigned ? 'yes' : '**no**'
      const id = facts.isIdSigned ? 'yes' : 'no'
      const known = facts.confidence === 'unsure' ? '**unsure**' : (facts.confidence ?? '')
      return `| [${facts.title}](${name}.md) | ${body} | ${id} | ${retryWindow(facts)} | ${deadline(facts)} | ${facts.keepDays} | ${known} |`
    }),
  )
  return `${[
    '# Providers',
    indexHead.replace('{count}', String(providerNames.length)),
    '| provider | body signed | id signed | tries again | deadline | days kept | known from |\n|---|---|---|---|---|---|---|',
  ].join('\n\n')}\n${rows.join('\n')}\n`
}

const indexHead = `{count} providers, each a small declaration that verifies and signs. \`npx oncehook providers <name>\` says the same on a terminal.
Body not signed: whoever learns the secret can send anything. Id not signed: the same body under a new id is flagged, see [ids outside the signature](../../SECURITY.md#ids-outside-the-signature).
Known from: *executed*, the provider’s own library was run against it, see [checked against](../checked-against.md); *source*, read in its source; *documents*, read in its documents; *unsure*, second-hand or remembered. What nobody documents is said to be so on the page of the provider.
A sender that is not here: [sources](../sources.md#senders-without-a-provider-here).`

/** A program of a few lines that has everything this provider needs. */
function exampleOf(name: string, make: MakeProvider, samples: SampleSet): string {
  const create = functionOf(name)
  const given = givenOptions(name, make, samples.settings)
  return `import { createInbox } from 'oncehook'
import { postgresStore } from 'oncehook/postgres'
import { ${create} } from 'oncehook/providers/${name}'

const source = ${create}({ ${given} })
const inbox = createInbox({ store: postgresStore(process.env.DATABASE_URL), sources: { ${create === name ? `${name}: source` : `'${name}': source`} } })
inbox.on('${name}', '*', async (event, { tx }) => {
  await tx.query('insert into seen (event) values ($1)', [event.id])
})
`
}

/** What the function of a provider is given, as code: keys from the environment, and whatever else it does not start without. */
export function givenOptions(name: string, make: MakeProvider, settings: SampleSet['settings']): string {
  const variable = keyVariable(name, make)
  return [
    ...(variable === undefined ? [] : [`${keyKind(make)}: process.env.${variable}`]),
    ...Object.entries(settings)
      .filter(([option]) => !option.startsWith('signing'))
      .map(([option, value]) => `${option}: ${literal(value)}`),
  ].join(', ')
}

/** The variable that its key is read from; undefined if it finds its keys by itself. */
export function keyVariable(name: string, make: MakeProvider): string | undefined {
  const beginning = name.replaceAll('-', '_').toUpperCase()
  switch (keyKind(make)) {
    case 'secret':
      return `${beginning}_WEBHOOK_SECRET`
    case 'publicKey':
      return `${beginning}_PUBLIC_KEY`
    case 'fetched':
      return undefined
  }
}

/** Which option its key goes into; `fetched` if it can find its keys by itself. */
export function keyKind(make: MakeProvider): 'secret' | 'publicKey' | 'fetched' {
  try {
    make({})
    return 'fetched'
  } catch {
    return generateKeys('', make, exampleMoment).secret === undefined ? 'publicKey' : 'secret'
  }
}

const exampleMoment = new Date('2026-11-15T12:00:00.000Z')

/** A delivery as it comes, its proof left out: it would be another one each time. */
function arrivalOf(name: string, make: MakeProvider, samples: SampleSet): string {
  const keys: ProviderKeys = generateKeys(name, make, exampleMoment)
  const event = samples.make({ at: exampleMoment, seed: 'page' })
  const provider = make(keys)
  const [signed, again] = [provider.sign(event, exampleMoment), provider.sign(event, exampleMoment)]
  const bare = unsigned(make).sign(event, exampleMoment)
  const headers = [...signed.headers].map(([header, [value = '']]) => {
    if (again.headers.get(header)?.[0] !== value) return `${header}: …`
    const isProof = bare.headers.get(header)?.[0] !== value
    return `${header}: ${isProof ? shortened(value) : value}`
  })
  return [`${signed.method} ${pathOf(signed, bare)}`, ...headers.toSorted(), '', bodyOf(bare)].join('\n')
}

function unsigned(make: MakeProvider): Provider {
  return make({ unverified: true })
}

/** Digits of a proof are different each time, its form is not. */
function shortened(value: string): string {
  return value.replaceAll(/[A-Za-z0-9+/_=.-]{14,}/g, '…')
}

function pathOf(signed: Delivery, bare: Delivery): string {
  const { pathname, search } = new URL(bare.url)
  const added = [...new URL(signed.url).searchParams.keys()].filter((key) => !new URL(bare.url).searchParams.has(key))
  const separator = search === '' ? '?' : '&'
  return pathname + search + (added.length === 0 ? '' : `${separator}${added.map((key) => `${key}=…`).join('&')}`)
}

function bodyOf({ body }: Delivery): string {
  const text = Buffer.from(body).toString('utf8')
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

function ownOptions(options: Readonly<Record<string, string>>): readonly string[] {
  const rows = Object.entries(options).map(([option, meaning]) => `| \`${option}\` | ${meaning} |`)
  return rows.length === 0 ? [] : [`| option | meaning |\n|---|---|\n${rows.join('\n')}`]
}

/** The name of its function in `oncehook/providers/<name>`. */
export function functionOf(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('"', "'")
}

function bullet(text: string): string {
  return `- ${text}`
}

function code(text: string): string {
  return `\`${text}\``
}
