import { styleText } from 'node:util'

export type Colour = 'green' | 'cyan' | 'yellow' | 'red' | 'magenta' | 'dim' | 'bold'

/** Colours a text, or leaves it as it is where colours are not wanted. */
export type Paint = (colour: Colour, text: string) => string

export type ColourSituation = {
  readonly isTerminal: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Colours for people: on a terminal unless NO_COLOR is set, elsewhere only if FORCE_COLOR asks for them. */
export function createPaint(situation: ColourSituation): Paint {
  return wantsColour(situation) ? paintAlways : (_, text) => text
}

function paintAlways(colour: Colour, text: string): string {
  // Newer versions of Node would look at the terminal by themselves; that question is already answered.
  return text === '' ? '' : styleText(colour, text, { validateStream: false })
}

function wantsColour({ isTerminal, environment }: ColourSituation): boolean {
  const forced = environment['FORCE_COLOR']
  if (forced !== undefined && forced !== '' && forced !== '0' && forced !== 'false') return true
  if (forced === '0' || forced === 'false') return false
  const refused = environment['NO_COLOR']
  return isTerminal && (refused === undefined || refused === '') && environment['TERM'] !== 'dumb'
}
