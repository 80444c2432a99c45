import { openApiDocument } from './openapi.ts'
import { defineRoute, type Route } from './route.ts'
import { alertRoutes } from './routes/alerts.ts'
import { auditRoutes } from './routes/audit.ts'
import { automationRoutes } from './routes/automations.ts'
import { captureEndpointRoutes } from './routes/capture-endpoints.ts'
import { captureRoutes } from './routes/captures.ts'
import { datastoreRoutes } from './routes/datastore.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { guideRoutes } from './routes/guide.ts'
import { liveRoutes } from './routes/live.ts'
import { messageRoutes } from './routes/messages.ts'
import { overviewRoutes } from './routes/overview.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { replayRoutes } from './routes/replays.ts'
import { sessionRoutes } from './routes/session.ts'
import { sourceRoutes } from './routes/sources.ts'
import { anything } from './schema.ts'

const described: readonly Route[] = [
  ...sessionRoutes,
  ...overviewRoutes,
  ...receiptRoutes,
  ...deadLetterRoutes,
  ...messageRoutes,
  ...sourceRoutes,
  ...alertRoutes,
  ...auditRoutes,
  ...liveRoutes,
  ...guideRoutes,
  ...datastoreRoutes,
  ...automationRoutes,
  ...captureEndpointRoutes,
  ...captureRoutes,
  ...replayRoutes,
]

/** Every call of the API. A resource is a file of `routes`, and a line here. */
export const allRoutes: readonly Route[] = [
  ...described,
  defineRoute({
    name: 'readOpenApi',
    method: 'GET',
    path: '/openapi.json',
    role: 'viewer',
    summary: 'This description.',
    answer: anything(),
    run: async ({ services }) => openApiDocument(allRoutes, services.version),
  }),
]
