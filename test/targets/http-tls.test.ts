import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { debianProgram } from '../support/debian-package.ts'
import { outgoingMessage, patient } from './outgoing-message.ts'
import { test as httpTest } from './test-with-http.ts'

const openssl = await debianProgram('openssl')

type TlsReceiver = {
  readonly port: number
  readonly certificate: string
  readonly requests: readonly { readonly host: string | undefined; readonly serverName: unknown }[]
}

const name = 'hooks.internal.invalid'

/** A key, and a certificate for the name that it signed itself. */
async function makeCertificate(): Promise<{ readonly key: string; readonly certificate: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'oncehook-certificate-'))
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2']
  await promisify(execFile)(openssl ?? '', [...kind, ...subject, '-keyout', keyFile, '-out', certificateFile])
  const [key, certificate] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certificateFile, 'utf8')])
  await rm(folder, { recursive: true })
  return { key, certificate }
}

const test = httpTest.extend<{ readonly tlsReceiver: TlsReceiver }>({
  tlsReceiver: async ({}, use) => {
    const { key, certificate } = await makeCertificate()
    const requests: TlsReceiver['requests'][number][] = []
    const server = createServer({ key, cert: certificate }, ({ headers, socket }, response) => {
      requests.push({ host: headers.host, serverName: 'servername' in socket && socket.servername })
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await use({ port: (server.address() as AddressInfo).port, certificate, requests })
    server.close()
    server.closeAllConnections()
  },
})

const resolve = async (): Promise<readonly { address: string; family: number }[]> => [
  { address: '127.0.0.1', family: 4 },
]

describe.skipIf(openssl === undefined)('a receiver behind TLS', () => {
  test('is reached at the checked address and proves that it has the name', async ({ tlsReceiver, target }) => {
    const { port, certificate, requests } = tlsReceiver
    const http = target({ url: `https://${name}:${port}/`, resolve, trustedCertificates: certificate })

    const results = await http.deliver([outgoingMessage()], patient())

    expect(results).toEqual([{ kind: 'published' }])
    expect(requests).toEqual([{ host: `${name}:${port}`, serverName: name }])
  })

  test('gets nothing if its certificate is not trusted', async ({ tlsReceiver: { port, requests }, target }) => {
    const results = await target({ url: `https://${name}:${port}/`, resolve }).deliver([outgoingMessage()], patient())

    const error = `Error: ${name}:${port} could not be reached: DEPTH_ZERO_SELF_SIGNED_CERT.`
    expect(results).toEqual([{ kind: 'failed', error, retry: 'later' }])
    expect(requests).toEqual([])
  })

  test('gets nothing if its certificate is for another name', async ({ tlsReceiver, target }) => {
    const { port, certificate, requests } = tlsReceiver
    const http = target({ url: `https://other.invalid:${port}/`, resolve, trustedCertificates: [certificate] })

    const results = await http.deliver([outgoingMessage()], patient())

    const error = `Error: other.invalid:${port} could not be reached: ERR_TLS_CERT_ALTNAME_INVALID.`
    expect(results).toEqual([{ kind: 'failed', error, retry: 'later' }])
    expect(requests).toEqual([])
  })
})
