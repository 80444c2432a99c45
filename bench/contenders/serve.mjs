/** Tells the benchmark where this process listens. It ends when the benchmark closes its input, or dies. */
export function announce(port) {
  console.log(JSON.stringify({ kind: 'listening', port }))
  endWithTheBenchmark()
}

/** The same for a server of `node:http`, or for an Express application. */
export function serve(server) {
  const listening = server.listen(0, '127.0.0.1', () => announce(listening.address().port))
}

export function endWithTheBenchmark() {
  process.stdin.on('end', () => process.exit()).resume()
}

/** The whole body of a request, for servers that have no framework to read it. */
export function readBody(request, whenComplete) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => whenComplete(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
}
