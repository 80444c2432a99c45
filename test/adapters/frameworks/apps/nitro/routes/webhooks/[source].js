import { h3Handler } from 'oncehook/h3'
import { defineEventHandler } from '#imports'
import { inboxOfProcess } from '../../../../inbox.mjs'

export default defineEventHandler(h3Handler(inboxOfProcess()))
