// Oncehook, queued, behind a `node:http` server of one's own, as every framework on top of that has it.
import { createServer } from 'node:http'
import { inbox, nodeHandler, oneRowEffect } from './oncehook-build.mjs'
import { serve } from './serve.mjs'

inbox.on('stripe', '*', oneRowEffect, { mode: 'queued' })
await inbox.migrate()
serve(createServer(nodeHandler(inbox)))
