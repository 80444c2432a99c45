import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption, storeOptions } from '../common-options.ts'
import { findReceiver } from '../control-client.ts'
import { failed, wrongUsage } from '../failure.ts'
import { homeOf, prepareHome } from '../home.ts'
import { chooseStore, openStore } from '../open-store.ts'

const options = {
  ...storeOptions,
  print: { type: 'boolean', meaning: 'only print the SQL, for those who run migrations themselves' },
  ...jsonOption,
} as const

/** Brings the tables to the newest version. */
export const migrateCommand: Command = asCommand({
  name: 'migrate',
  summary: 'Bring the tables to the newest version, or print the SQL that does it',
  forms: ['[options]'],
  options,
  examples: ['migrate --database postgres://localhost/app', 'migrate --print > oncehook.sql'],
  run: migrate,
})

async function migrate({ values, positionals, terminal, environment, directory }: Call<typeof options>): Promise<0> {
  if (positionals.length > 0) throw wrongUsage(`migrate takes no ${JSON.stringify(positionals[0])}.`)
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const isPrinting = values.print === true
  if (choice.kind === 'embedded' && !isPrinting) {
    const running = await findReceiver(home)
    if (running?.address.store === 'embedded') {
      throw failed(`The receiver at ${running.address.url} owns this store, and has migrated it when it started.`)
    }
    await prepareHome(home)
  }
  const store = openStore(choice)
  try {
    if (isPrinting) {
      const sql = store.migrationSql()
      terminal.print(values.json === true ? JSON.stringify({ sql }) : sql)
      return 0
    }
    const { from, to } = await store.migrate()
    if (values.json === true) terminal.print(JSON.stringify({ from, to }))
    else
      terminal.print(
        from === to ? `The tables are at version ${to} already.` : `Migrated from version ${from} to ${to}.`,
      )
    return 0
  } finally {
    await store.close()
  }
}
