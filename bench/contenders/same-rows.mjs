// The rows of Oncehook by hand, behind `node:http`: how fast a door with these rows could be there.
import { serveVerified } from './bare-server.mjs'
import { recordSoon } from './record-same-rows.mjs'

serveVerified((body, response) => recordSoon(body, () => response.writeHead(202).end('accepted')))
