/** What Prisma's errors hold: its own code, and in it what the adapter was told by the database. */
type PrismaError = {
  readonly code?: unknown
  readonly meta?: {
    readonly code?: unknown
    readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown; readonly kind?: unknown } }
  }
}

/** The database's own code, for statements of ours: Prisma's codes look like one and mean something else. */
export function explainOwnError(error: unknown): unknown {
  const state = originalState(error)
  if (state === undefined) return translatePrismaError(error)
  return withCode(error, state)
}

/** Only what the caller must know: that it lost against another transaction, or that the connection is gone. The rest is the user's. */
export function translatePrismaError(error: unknown): unknown {
  const { code } = (error ?? {}) as PrismaError
  const state = originalState(error)
  if (code === 'P2034' || state === '40001' || state === '40P01') return withCode(error, state ?? '40001')
  return error
}

function originalState(error: unknown): string | undefined {
  const { meta } = (error ?? {}) as PrismaError
  const state = meta?.driverAdapterError?.cause?.originalCode ?? meta?.code
  return typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state) ? state : undefined
}

function withCode(cause: unknown, code: string): Error {
  const message = cause instanceof Error ? cause.message : 'Prisma failed.'
  return Object.assign(new Error(message, { cause }), { code })
}
