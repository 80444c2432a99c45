// Draws docs/pictures/prover.svg: what the prover really says of a common handler, and of the same work with Oncehook.
// It starts a PostgreSQL and both handlers of examples/prove, and draws what is printed, colours included. After `npm run build`:
//
//   node --import tsx scripts/draw-prover.mjs
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters as plain } from 'node:util'
import { startPostgresServer } from '../test/support/postgres-server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const escape = '\u001b'
const colours = { 31: '#f87171', 32: '#4ade80', 33: '#fbbf24', 36: '#22d3ee', 90: '#94a3b8', 2: '#94a3b8' }
const scenarios = 'single-delivery,repeated-delivery,copies-at-once,wrong-secret'
const server = await startPostgresServer()
const wrong = await prove('select-then-insert')
const right = await prove('oncehook-inline')
await server.stop()

const lines = [
  ...command('select-then-insert'),
  ...shortened(wrong),
  '',
  ...command('oncehook-inline'),
  ...shortened(right),
]
writeFileSync(new URL('../docs/pictures/prover.svg', import.meta.url), picture(lines))

function command(handler) {
  return [`${escape}[90m$${escape}[39m npx oncehook prove http://127.0.0.1:4500/stripe --start 'node ${handler}.mjs' …`]
}

async function prove(handler) {
  const port = await freePort()
  const options = {
    provider: 'stripe',
    secret: 'whsec_prove',
    start: `node examples/prove/${handler}.mjs`,
    seed: 'picture',
    only: scenarios,
    'probe-sql': 'select count(*) from prove_effects where event_id = :event',
  }
  const given = [
    'dist/cli/main.js',
    'prove',
    `http://127.0.0.1:${port}/stripe`,
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ]
  const env = { ...process.env, DATABASE_URL: server.url, FORCE_COLOR: '1' }
  const child = spawn(process.execPath, given, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) printed += chunk
  return printed
}

/** What was printed, wrapped as by a terminal of that width; only what comes behind the first lines of a long text is left out. */
function shortened(printed) {
  return printed
    .trim()
    .split('\n')
    .flatMap((line) => wrapped(line, 104))
}

function wrapped(line, width) {
  const indent = ' '.repeat(/^ *(?:\w+ {2,})?/.exec(plain(line))[0].length)
  const rows = []
  for (const word of line.split(/(?<=\S)(?= )/)) {
    const last = rows.at(-1)
    if (last === undefined || plain(last + word).length > width)
      rows.push(last === undefined ? word : indent + word.trimStart())
    else rows[rows.length - 1] = last + word
  }
  return rows.length > 2 ? [rows[0], `${rows[1]} …`] : rows
}

function picture(lines) {
  const [lineHeight, charWidth, left, top] = [19, 7.83, 20, 56]
  const longest = Math.max(...lines.map((line) => plain(line).length))
  const [width, height] = [Math.ceil(left * 2 + longest * charWidth), top + lines.length * lineHeight + 8]
  const rows = lines.map((line, index) => {
    const y = top + index * lineHeight
    return `<text x="${left}" y="${y}" xml:space="preserve">${spans(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t">
<title id="t">The prover sends 50 copies at once: a common handler takes effect several times, Oncehook once</title>
<style>text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px;fill:#e2e8f0}</style>
<rect width="${width}" height="${height}" rx="10" fill="#0f172a"/>
<circle cx="22" cy="20" r="6" fill="#ef4444"/><circle cx="42" cy="20" r="6" fill="#f59e0b"/><circle cx="62" cy="20" r="6" fill="#22c55e"/>
${rows.join('\n')}
</svg>
`
}

/** Text with the colours of a terminal as spans. */
function spans(line) {
  let style = ''
  return line
    .split(new RegExp(`(${escape}\\[[\\d;]*m)`))
    .map((part) => {
      const code = part.startsWith(escape) ? part.slice(2, -1) : undefined
      if (code === undefined) return part === '' ? '' : `<tspan${style}>${escaped(part)}</tspan>`
      if (code === '1') style = ' font-weight="700"'
      else style = colours[code] === undefined ? '' : ` fill="${colours[code]}"`
      return ''
    })
    .join('')
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
