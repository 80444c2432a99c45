/**
 * What a thread runs that a step's code gets to itself, as text: a thread needs a file or a text, and this needs no compiler. The code has
 * neither `require` nor `import`, no `process`, no network and no file system by itself, and no memory outside of the heap that has a limit.
 * This keeps mistakes in; it is no wall against somebody who wants out, which is why only an admin may set code.
 */
export const codeThread = `
const { parentPort, workerData } = require('node:worker_threads')
const vm = require('node:vm')

const context = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } })
const outside = ['ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Atomics', 'WebAssembly', 'WeakRef', 'FinalizationRegistry',
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array']
vm.runInContext('for (const name of ' + JSON.stringify(outside) + ') delete globalThis[name]', context)

const whole = '(async (json) => { const run = ' + workerData.code + '\\n; const result = await run(JSON.parse(json)); ' +
  'return result === undefined ? "null" : JSON.stringify(result) })'
const tell = (error) => parentPort.postMessage({ kind: 'threw', error: String(error?.stack ?? error).slice(0, 2000) })
try {
  const run = new vm.Script(whole, { filename: 'code.ts', lineOffset: -1 }).runInContext(context)
  run(workerData.input).then((json) => parentPort.postMessage({ kind: 'returned', json }), tell)
} catch (error) {
  tell(error)
}
`
