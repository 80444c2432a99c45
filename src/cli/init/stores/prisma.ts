import { type StorePlace, type StoreTemplate, searchPathOption } from '../store-template.ts'

export const prisma: StoreTemplate = {
  title: 'Prisma',
  packages: ['@prisma/client', '@prisma/adapter-pg'],
  developmentPackages: () => ['prisma', 'pg'],
  inbox: (place) => ({
    imports: [
      `import { PrismaPg } from '@prisma/adapter-pg'`,
      `import { prismaStore } from 'oncehook/prisma'`,
      `import { PrismaClient } from '${clientIn(place)}'`,
    ],
    opening: [
      `const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL ?? '' })`,
      'const database = new PrismaClient({ adapter }) // or import yours',
    ],
    store: 'prismaStore(database)',
  }),
  handlers: (place) => ({
    imports: [`import type { Prisma } from '${clientIn(place)}'`],
    transaction: 'Prisma.TransactionClient',
    insert: 'await tx.$executeRaw`insert into webhook_effects (event_id, type) values (${event.id}, ${event.type})`',
  }),
  test: (place) => ({
    imports: [
      `import { PrismaPg } from '@prisma/adapter-pg'`,
      `import { prismaStore } from 'oncehook/prisma'`,
      `import { PrismaClient } from '${clientIn(place)}'`,
    ],
    variable: `let database${place.style.typed(': PrismaClient')}`,
    open: `database = new PrismaClient({ adapter: new PrismaPg({ connectionString: url, options: \`${searchPathOption}\` }) })`,
    parameters: '{ schema }',
    store: 'prismaStore(database, { schema })',
    close: 'await database.$disconnect()',
  }),
}

function clientIn({ style, prismaClient, toRoot }: StorePlace): string {
  return style.from(`${toRoot}${prismaClient}/client`)
}
