import { defineEventHandler } from '#imports'
import { h3Handler } from 'oncehook/h3'
import { inboxOfProcess } from '../../../../inbox.mjs'

export default defineEventHandler(h3Handler(inboxOfProcess()))
