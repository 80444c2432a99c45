import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { debianProgram } from './debian-package.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

export type PgBouncerOptions = {
  /** The address of the PostgreSQL behind it. */
  readonly databaseUrl: string
  readonly poolMode: 'session' | 'transaction'
}

/** Starts a real PgBouncer in front of a PostgreSQL; undefined where there is none to start. */
export async function pgBouncerStarter(): Promise<((options: PgBouncerOptions) => Promise<PgBouncer>) | undefined> {
  const program = await debianProgram('pgbouncer')
  if (program === undefined) return undefined
  return async ({ databaseUrl, poolMode }) => {
    const server = await startServerProcess({
      program,
      parameters: ({ port, folder }) => {
        const file = join(folder, 'pgbouncer.ini')
        writeFileSync(file, settingsOf(new URL(databaseUrl), { port, poolMode }))
        // It refuses to run as root.
        return [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file]
      },
      readyText: 'process up',
    })
    const url = new URL(databaseUrl)
    url.host = `127.0.0.1:${server.port}`
    return { ...server, url: url.href }
  }
}

export type PgBouncer = ServerProcess & { readonly url: string }

function settingsOf(
  { hostname, port: serverPort, pathname, username, password }: URL,
  { port, poolMode }: { readonly port: string; readonly poolMode: string },
): string {
  const server = `host=${hostname} port=${serverPort || '5432'} dbname=${pathname.slice(1)} user=${username}`
  const credentials = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  return `
[databases]
${pathname.slice(1)} = ${server}${credentials}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
max_client_conn = 100
default_pool_size = 20
`
}
