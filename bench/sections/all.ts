import type { Section } from '../section.ts'
import { admin } from './admin.ts'
import { bodies } from './bodies.ts'
import { door } from './door.ts'
import { duplicates } from './duplicates.ts'
import { growth } from './growth.ts'
import { idle } from './idle.ts'
import { inline } from './inline.ts'
import { latency } from './latency.ts'
import { prune } from './prune.ts'
import { redis } from './redis.ts'
import { worker } from './worker.ts'

/** In the order in which they run. */
export const allSections: readonly Section[] = [
  door,
  inline,
  latency,
  worker,
  duplicates,
  redis,
  growth,
  prune,
  admin,
  idle,
  bodies,
]
