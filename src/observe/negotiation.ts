import type { Format } from './exposition.ts'

/** The format that an `Accept` header asks for. Who does not name OpenMetrics, or likes plain text better, gets plain text. */
export function chosenFormat(accept: string): Format {
  const ranges = accept.split(',').map(readRange)
  const weightOf = (fits: (type: string) => boolean): number =>
    Math.max(0, ...ranges.filter(({ type }) => fits(type)).map(({ weight }) => weight))
  const open = weightOf((type) => type === 'application/openmetrics-text')
  const plain = weightOf((type) => type === 'text/plain' || type === 'text/*')
  return open > 0 && open >= plain ? 'openmetrics' : 'plain'
}

function readRange(range: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length)
  const number = weight === undefined ? 1 : Number(weight)
  return { type, weight: Number.isFinite(number) ? number : 0 }
}
