import type { FrameworkName, FrameworkTemplate } from '../framework-template.ts'
import { express } from './express.ts'
import { fastify } from './fastify.ts'
import { h3, nitro } from './h3.ts'
import { hono } from './hono.ts'
import { koa } from './koa.ts'
import { nest } from './nest.ts'
import { nextApp, nextPages } from './next.ts'
import { none } from './none.ts'
import { reactRouter } from './react-router.ts'
import { sveltekit } from './sveltekit.ts'

/** Every framework that has a handler of its own, and none. */
export const frameworkTemplates: Readonly<Record<FrameworkName, FrameworkTemplate>> = {
  'next-app': nextApp,
  'next-pages': nextPages,
  express,
  fastify,
  hono,
  nest,
  koa,
  sveltekit,
  'react-router': reactRouter,
  nitro,
  h3,
  none,
}
