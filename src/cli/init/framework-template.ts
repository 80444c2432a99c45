import type { Modules, Style } from './style.ts'

export const frameworkNames = [
  'next-app',
  'next-pages',
  'express',
  'fastify',
  'hono',
  'nest',
  'koa',
  'sveltekit',
  'react-router',
  'nitro',
  'h3',
  'none',
] as const

export type FrameworkName = (typeof frameworkNames)[number]

/** A file that is written unless it is there. */
export type NewFile = { readonly path: string; readonly text: string }

/** What a template needs to know of the project. */
export type FrameworkPlace = {
  readonly style: Style
  /** Where the sources are: `src/`, or nothing. */
  readonly sources: string
  /** Where inbox and handlers are, from the root. */
  readonly folder: string
}

/** Where deliveries come in with one framework. */
export type FrameworkTemplate = {
  readonly title: string
  /** Where inbox and handlers go, below the sources. */
  readonly folder: string
  /** How its files are put together, where that is not up to the project. */
  readonly modules?: Modules
  /** The files with the route. */
  readonly files: (place: FrameworkPlace) => readonly NewFile[]
  /** How an app is recognised that exists already. */
  readonly entry?: RegExp
  /** A whole server, for a project that has no app yet, and the packages that it needs. */
  readonly server?: {
    readonly file: (place: FrameworkPlace) => NewFile
    readonly packages: readonly string[]
    /** Of packages that bring none. */
    readonly types?: readonly string[]
  }
  /** What has to be added to an app that exists. */
  readonly wiring: (place: FrameworkPlace) => readonly string[]
}

/** The file that makes the inbox's handler, for frameworks where an app mounts it. */
export function routeFile(
  { style, folder }: FrameworkPlace,
  code: { readonly imports: string; readonly handler: string; readonly how: string },
): NewFile {
  const text = `${code.imports}
import { inbox } from '${style.from('./inbox')}'

/** Every source at /webhooks/<source>. ${code.how} */
export const webhooks = ${code.handler}
`
  return { path: `${folder}/route.${style.extension}`, text }
}

/** Imports for an app's file in the folder of the sources. */
export function wiringImports({ style }: FrameworkPlace): readonly string[] {
  return [
    `import { startWebhooks } from '${style.from('./webhooks/inbox')}'`,
    `import { webhooks } from '${style.from('./webhooks/route')}'`,
  ]
}

/** A server of a project that has none. Started by a function, because CommonJS cannot wait at the top. */
export function serverFile(
  place: FrameworkPlace,
  code: { readonly imports: string; readonly app: string; readonly listen: string },
): NewFile {
  const { style, sources } = place
  const text = `${code.imports}
${wiringImports(place).join('\n')}

async function main()${style.typed(': Promise<void>')} {
  await startWebhooks()
${indented(code.app)}
  const port = Number(process.env.PORT ?? 3000)
${indented(code.listen)}
  console.log(\`http://127.0.0.1:\${port}/webhooks\`)
}

void main()
`
  return { path: `${sources}server.${style.extension}`, text }
}

function indented(code: string): string {
  return code
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
