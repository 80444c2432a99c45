import type { Style } from './style.ts'

export const storeNames = [
  'pg',
  'postgres-js',
  'drizzle',
  'drizzle-postgres-js',
  'kysely',
  'knex',
  'typeorm',
  'prisma',
  'pglite',
] as const

export type StoreName = (typeof storeNames)[number]

/** What a template needs to know of the project. */
export type StorePlace = {
  readonly style: Style
  /** Where "prisma generate" puts the client, from the root of the project. */
  readonly prismaClient: string
  /** The way from the file that is written to the root of the project. */
  readonly toRoot: string
}

/** How one library is opened, in the app and in a test, and what a handler writes through it. */
export type StoreTemplate = {
  readonly title: string
  readonly packages: readonly string[]
  readonly developmentPackages?: (style: Style) => readonly string[]
  /** Of the file with the inbox. */
  readonly inbox: (place: StorePlace) => {
    readonly imports: readonly string[]
    readonly opening?: readonly string[]
    readonly store: string
    /** What has to happen before the first use. */
    readonly beforeStart?: string
  }
  /** Of the file with the handlers. */
  readonly handlers: (place: StorePlace) => {
    readonly imports: readonly string[]
    readonly declarations?: readonly string[]
    /** Only where there are types. */
    readonly transaction: string
    readonly insert: string
  }
  /** Of the test; undefined if the test kit opens the store by itself. */
  readonly test?: (place: StorePlace) => {
    readonly imports: readonly string[]
    readonly variable?: string
    readonly open?: string
    readonly store: string
    readonly parameters: string
    readonly close?: string
    /** Where the test runs in memory, no server is needed. */
    readonly isInMemory?: true
  }
}

/** A test's own tables, for libraries that connect by themselves. */
export const searchPathOption = '-c search_path=${schema},pg_catalog,public'
