/** The fields of a form body. Never fails: what is not a form has odd fields. */
export function readForm(body: Uint8Array): URLSearchParams {
  return new URLSearchParams(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'))
}
