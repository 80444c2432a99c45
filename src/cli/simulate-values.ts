import type { FaultRates } from '../simulator/simulate.ts'
import { wrongUsage } from './failure.ts'

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400 }

/** `90s`, `15m`, `3h`, `2d` in seconds. */
export function lengthOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, figure, unit = ''] = /^(\d+(?:\.\d+)?)(s|m|min|h|d)$/.exec(text) ?? []
  if (figure !== undefined && Number(figure) > 0) return Number(figure) * (secondsOf[unit] ?? 1)
  throw wrongUsage(`--${name} has to be a length of time such as 90s, 15m, 3h or 2d, and not ${JSON.stringify(text)}.`)
}

/** `5/s`, `12/min`, `100/h` as seconds between events. */
export function rateOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, figure, unit = ''] = /^(\d+(?:\.\d+)?)\/(s|m|min|h|d)$/.exec(text) ?? []
  if (figure !== undefined && Number(figure) > 0) return (secondsOf[unit] ?? 1) / Number(figure)
  throw wrongUsage(`--rate has to be a rate such as 5/s, 12/min or 100/h, and not ${JSON.stringify(text)}.`)
}

/** `1000x` or `1000`; `jump` does not wait at all. */
export function speedOption(text: string | undefined, isRealTime: boolean): number | 'jump' | undefined {
  if (isRealTime && text !== undefined) throw wrongUsage('Give either --speed or --real-time.')
  if (isRealTime) return 1
  if (text === undefined || text === 'jump') return text
  const speed = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1] ?? Number.NaN)
  if (speed > 0) return speed
  throw wrongUsage(`--speed has to be a number such as 1000x, or "jump", and not ${JSON.stringify(text)}.`)
}

/** `timeout=5%,lost-answer=0.1` as rates from 0 to 1. Which faults there are is known to the simulator. */
export function faultsOption(text: string | undefined): FaultRates | undefined {
  if (text === undefined) return undefined
  const rates = text.split(',').map((part) => {
    const [, kind = '', figure, percent] = /^\s*([a-z-]+)\s*=\s*(\d+(?:\.\d+)?)(%?)\s*$/.exec(part) ?? []
    if (figure !== undefined) return [kind, percent === '%' ? Number(figure) / 100 : Number(figure)] as const
    throw wrongUsage(`--faults has to be a list such as "timeout=5%,lost-answer=10%", and not ${JSON.stringify(text)}.`)
  })
  return Object.fromEntries(rates)
}

/** `3h`, or `3h@30m`: when it begins. */
export function outageOption(
  text: string | undefined,
): { readonly seconds: number; readonly afterSeconds?: number } | undefined {
  if (text === undefined) return undefined
  const [length, begin] = text.split('@', 2)
  const seconds = lengthOption('outage', length) ?? 0
  const afterSeconds = begin === '0' ? 0 : lengthOption('outage', begin)
  return afterSeconds === undefined ? { seconds } : { seconds, afterSeconds }
}

/** A number of seconds, also a part of one. */
export function secondsOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 3_600) return seconds
  throw wrongUsage(`--${name} has to be a number of seconds from above 0 to 3600, and not ${JSON.stringify(text)}.`)
}
