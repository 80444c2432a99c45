/** One line of a hex view: sixteen bytes at most. */
export type HexLine = { readonly offset: string; readonly hex: string; readonly text: string }

const width = 16

/** Bytes as programmers look at them. */
export function hexLines(bytes: Uint8Array): readonly HexLine[] {
  return Array.from({ length: Math.ceil(bytes.length / width) }, (_, line) => {
    const part = [...bytes.subarray(line * width, (line + 1) * width)]
    return {
      offset: (line * width).toString(16).padStart(8, '0'),
      hex: part.map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
      text: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join(''),
    }
  })
}

/** Empty if it is no base64. */
export function bytesOfBase64(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
