import type { AddressInfo } from 'node:net'
import { createMcp } from '../../mcp/create-mcp.ts'
import { createHttpServer } from '../../mcp/serve-http.ts'
import { serveStdio } from '../../mcp/serve-stdio.ts'
import { openApi } from '../api-access.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { sentenceOf, wrongUsage } from '../failure.ts'
import { isLoopback, urlOf } from '../listen.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { untilAskedToStop } from '../signals.ts'
import { userName } from '../user-name.ts'
import { packageVersion } from '../version.ts'

const options = {
  url: {
    type: 'string',
    value: 'url',
    meaning: 'a gateway to ask, with the token of $ONCEHOOK_TOKEN; default: the store here',
  },
  'allow-replay': { type: 'boolean', meaning: 'offer tools that preview and replay receipts' },
  'allow-write': { type: 'boolean', meaning: 'offer tools that change the datastore' },
  http: { type: 'boolean', meaning: 'serve streamable HTTP at /mcp instead of standard input and output' },
  port: { type: 'string', value: 'n', meaning: 'with --http: where to listen; default 4410' },
  host: {
    type: 'string',
    value: 'address',
    meaning: 'with --http: default 127.0.0.1; others need $ONCEHOOK_MCP_TOKEN',
  },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Serves assistants that speak the Model Context Protocol. */
export const mcpCommand: Command = asCommand({
  name: 'mcp',
  summary: 'Let an assistant look things up over the Model Context Protocol',
  forms: ['[options]', '--http [--port <n>]'],
  options,
  examples: ['mcp', 'mcp --url https://hooks.example.com', 'mcp --http --allow-replay'],
  run: mcp,
})

async function mcp(call: Call<typeof options>): Promise<0> {
  const { values, positionals, terminal, environment, directory, program } = call
  if (positionals.length > 0) throw wrongUsage(`mcp takes no ${JSON.stringify(positionals[0])}.`)
  const { host = '127.0.0.1' } = values
  const token = environment['ONCEHOOK_MCP_TOKEN'] || undefined
  if (values.http !== true && (values.port !== undefined || values.host !== undefined)) {
    throw wrongUsage('--port and --host need --http.')
  }
  if (!isLoopback(host) && token === undefined) {
    throw wrongUsage(
      `--host ${host} can be reached from elsewhere: set $ONCEHOOK_MCP_TOKEN, which callers have to send.`,
    )
  }
  const permissions = { replay: values['allow-replay'] === true, write: values['allow-write'] === true }
  const onError = (error: unknown): void => terminal.tell(`oncehook: ${sentenceOf(error)}`)
  const api = await openApi({
    url: values.url,
    token: environment['ONCEHOOK_TOKEN'] || undefined,
    values,
    ledger: values.environment,
    environment,
    directory,
    program,
    identity: {
      name: `mcp (${userName() ?? 'unknown'})`,
      role: permissions.replay || permissions.write ? 'operator' : 'viewer',
    },
    onError,
  })
  try {
    const server = createMcp({ callApi: api.callApi, permissions, version: await packageVersion(), onError })
    if (values.http !== true) {
      terminal.tell(`Speaking the Model Context Protocol on standard input and output, about ${api.about}.`)
      await serveStdio(server, { input: process.stdin, output: process.stdout })
      return 0
    }
    const asked = untilAskedToStop()
    const http = createHttpServer(server, { token })
    const port = wholeNumber('port', values.port, { atLeast: 0, atMost: 65_535 }) ?? 4410
    await new Promise<void>((resolve, reject) => http.once('error', reject).listen(port, host, resolve))
    const { port: taken } = http.address() as AddressInfo
    terminal.tell(`Speaking the Model Context Protocol at ${urlOf(host, taken)}/mcp, about ${api.about}. Ctrl+C stops.`)
    if (values.json === true) terminal.print(JSON.stringify({ kind: 'started', url: `${urlOf(host, taken)}/mcp` }))
    await asked
    http.close()
    http.closeAllConnections()
    return 0
  } finally {
    await api.close()
  }
}
