import { readFileSync } from 'node:fs'
import { makeQuick } from './make-pglite-quick.ts'

// Loaded before a program, with `--import`.
makeQuick(readFileSync(process.env['PGLITE_NEW_DATABASE'] ?? ''))
