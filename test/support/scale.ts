/** `npm run test:long` runs what is counted here in full; the gate a tenth of it, in the same way. */
export function atScale(full: number): number {
  return process.env['ONCEHOOK_SCALE'] === 'full' ? full : full / 10
}
