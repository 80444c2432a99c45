// Every promise of the store, by way of libraries that send their statements through `pg` or postgres.js, which the gate tests themselves.
import { describeStore } from '../store/describe-store.ts'
import { open as openDrizzle, openOverPostgresJs } from './open-drizzle.ts'
import { open as openKnex } from './open-knex.ts'
import { open as openKysely } from './open-kysely.ts'
import { open as openTypeorm } from './open-typeorm.ts'
import { storeOf } from './test-place.ts'

describeStore('the store by way of Drizzle over node-postgres', storeOf(openDrizzle))
describeStore('the store by way of Drizzle over postgres.js', storeOf(openOverPostgresJs))
describeStore('the store by way of Knex', storeOf(openKnex))
describeStore('the store by way of Kysely', storeOf(openKysely))
describeStore('the store by way of TypeORM', storeOf(openTypeorm))
