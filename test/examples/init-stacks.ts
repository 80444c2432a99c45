import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A project as somebody has it before `oncehook init`. */
export type Stack = {
  readonly name: string
  readonly manifest: {
    readonly type?: 'module'
    readonly dependencies?: Readonly<Record<string, string>>
    readonly devDependencies?: Readonly<Record<string, string>>
  }
  readonly files?: Readonly<Record<string, string>>
  /** What `init` has to see. */
  readonly found: { readonly framework: string; readonly orm: string; readonly testRunner: string }
  /** Words for `init` besides. */
  readonly words?: readonly string[]
  /** Commands between `init` and the test. */
  readonly prepare?: readonly (readonly string[])[]
}

const typescript = { typescript: '^5.9.3', '@types/node': '^20.19.43' }
const prismaSchema = `generator client {
  provider = "prisma-client"
  output   = "../generated/prisma"
}

datasource db {
  provider = "postgresql"
}

model Effect {
  id Int @id
}
`

/** Fresh projects of the common stacks, each with another combination of framework, library, runner and language. */
export const stacks: readonly Stack[] = [
  {
    name: 'express-pg',
    manifest: { type: 'module', dependencies: { express: '^5.3.0', pg: '^8.23.1' }, devDependencies: typescript },
    found: { framework: 'express', orm: 'pg', testRunner: 'node' },
  },
  {
    name: 'fastify-prisma',
    manifest: {
      type: 'module',
      dependencies: { fastify: '^5.12.8', '@prisma/client': '^7.10.0', '@prisma/adapter-pg': '^7.10.0' },
      devDependencies: { ...typescript, prisma: '^7.10.0' },
    },
    files: {
      'prisma/schema.prisma': prismaSchema,
      'prisma.config.ts': `import { defineConfig } from 'prisma/config'\nexport default defineConfig({ schema: 'prisma/schema.prisma' })\n`,
    },
    found: { framework: 'fastify', orm: 'prisma', testRunner: 'node' },
    words: ['--provider', 'shopify'],
    prepare: [['npx', 'prisma', 'generate']],
  },
  {
    name: 'hono-kysely',
    manifest: {
      type: 'module',
      dependencies: { hono: '^4.13.17', '@hono/node-server': '^2.1.6', kysely: '^0.29.8', pg: '^8.23.1' },
      devDependencies: { ...typescript, '@types/pg': '^8.23.1', vitest: '^4.1.12' },
    },
    found: { framework: 'hono', orm: 'kysely', testRunner: 'vitest' },
    words: ['--provider', 'slack'],
  },
  {
    name: 'node-pglite',
    manifest: { type: 'module' },
    found: { framework: 'none', orm: 'pglite', testRunner: 'node' },
    words: ['--provider', 'github'],
  },
  {
    name: 'next-drizzle',
    manifest: {
      dependencies: {
        next: '^16.4.6',
        react: '^19.3.1',
        'react-dom': '^19.3.1',
        'drizzle-orm': '^0.45.4',
        pg: '^8.23.1',
      },
      devDependencies: { ...typescript, '@types/pg': '^8.23.1', '@types/react': '^19.2.0', vitest: '^4.1.12' },
    },
    files: {
      'next.config.mjs': `export default { serverExternalPackages: ['oncehook', 'pg'] }\n`,
      'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {\n  return <html><body>{children}</body></html>\n}\n`,
      'app/page.tsx': 'export default function Page() {\n  return <p>Hello</p>\n}\n',
    },
    found: { framework: 'next-app', orm: 'drizzle', testRunner: 'vitest' },
    prepare: [['npx', 'next', 'build']],
  },
  {
    name: 'nest-typeorm',
    manifest: {
      dependencies: {
        '@nestjs/common': '^12.4.2',
        '@nestjs/core': '^12.4.2',
        '@nestjs/platform-express': '^12.4.2',
        'reflect-metadata': '^0.2.2',
        rxjs: '^7.8.2',
        typeorm: '^1.1.1',
        pg: '^8.23.1',
      },
      devDependencies: typescript,
    },
    files: {
      'src/main.ts': `import 'reflect-metadata'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'

@Module({})
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule)
  await app.listen(3000)
}
void bootstrap()
`,
    },
    found: { framework: 'nest', orm: 'typeorm', testRunner: 'node' },
    words: ['--provider', 'twilio'],
  },
  {
    name: 'koa-knex-commonjs',
    manifest: { dependencies: { koa: '^3.2.1', knex: '^3.3.0', pg: '^8.23.1' } },
    files: { 'app.js': `const Koa = require('koa')\nconst app = new Koa()\nmodule.exports = app\n` },
    found: { framework: 'koa', orm: 'knex', testRunner: 'node' },
    words: ['--provider', 'gitlab'],
  },
  {
    name: 'h3-postgres-js',
    manifest: { type: 'module', dependencies: { h3: '^2.0.8', postgres: '^3.4.9' }, devDependencies: typescript },
    found: { framework: 'h3', orm: 'postgres-js', testRunner: 'node' },
    words: ['--provider', 'cal-com'],
  },
]

/** Writes the project as it is before. */
export function writeStack({ manifest, files = {} }: Stack, folder: string): void {
  const isTypeScript = manifest.devDependencies?.['typescript'] !== undefined
  const all = {
    'package.json': JSON.stringify({ name: 'fresh', private: true, ...manifest }, undefined, 2),
    ...(isTypeScript && { 'tsconfig.json': tsconfigOf(manifest) }),
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function tsconfigOf({ dependencies = {} }: Stack['manifest']): string {
  const shared = { target: 'es2023', strict: true, noEmit: true, skipLibCheck: true, types: ['node'] }
  const bundled = { module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', lib: ['dom', 'es2023'] }
  const node = { module: 'nodenext', experimentalDecorators: true }
  return JSON.stringify({ compilerOptions: { ...shared, ...('next' in dependencies ? bundled : node) } })
}
