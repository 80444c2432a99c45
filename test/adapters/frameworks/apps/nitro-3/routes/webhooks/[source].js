import { defineHandler } from 'nitro/h3'
import { h3Handler } from 'oncehook/h3'
import { inboxOfProcess } from '../../../../inbox.mjs'

export default defineHandler(h3Handler(inboxOfProcess()))
