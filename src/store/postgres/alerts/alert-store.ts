import type { AlertStore } from '../../alert-store.ts'
import type { Database } from '../database.ts'
import type { SqlClient } from '../sql-client.ts'
import { changeEpisodes } from './change-episodes.ts'
import { acknowledgeEpisode, findEpisodes, findMutes, muteAlerts, unmuteAlerts } from './episodes.ts'
import { situation } from './situation.ts'
import { countTraffic, noteAnswers } from './traffic.ts'

/** Alerts of a store in PostgreSQL. */
export function alertStore<Tx>(database: Database, client: Pick<SqlClient<Tx>, 'transaction'>): AlertStore {
  return {
    countTraffic: (lease) => countTraffic(database, lease),
    noteAnswers: (environment, answers) => noteAnswers(database, environment, answers),
    situation: (environment, question) => situation(database, environment, question),
    change: (environment, lease, changes) => changeEpisodes(client, database.schema, { environment, lease, changes }),
    find: (environment, filter) => findEpisodes(database, environment, filter),
    acknowledge: (environment, id, note) => acknowledgeEpisode(database, environment, { id, ...note }),
    mute: (environment, mute) => muteAlerts(database, environment, mute),
    unmute: (environment, id, note) => unmuteAlerts(database, environment, { id, ...note }),
    mutes: (environment) => findMutes(database, environment),
  }
}
