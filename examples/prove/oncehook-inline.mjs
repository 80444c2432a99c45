// RIGHT. Oncehook, inline: receipt and work in one transaction, then the answer.
import { startOncehook } from './oncehook.mjs'

await startOncehook('inline')
