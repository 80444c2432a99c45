/** One of the projects in `examples` that are run as a whole. */
export type Example = {
  readonly name: string
  /** Whether all it needs is among the packages of this repository, so that it can be run without installing anything. */
  readonly isLight: boolean
  /** A script that has to fail: the handler that the example replaces. */
  readonly failing?: string
}

/** Every example, in the order of the documentation. */
export const examples: readonly Example[] = [
  { name: 'next-drizzle-stripe', isLight: false },
  { name: 'express-pg-github', isLight: true },
  { name: 'fastify-prisma-shopify', isLight: true },
  { name: 'hono-kysely-slack', isLight: true },
  { name: 'nest-typeorm-twilio', isLight: false },
  { name: 'worker-and-receiver', isLight: true },
  { name: 'gateway-python', isLight: true },
  { name: 'migrate-processed-events', isLight: true, failing: 'prove:before' },
]
