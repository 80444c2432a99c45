/**
 * Whether a text fits a pattern: `*` stands for anything, in a path for anything but a slash, where `**` stands for anything. Takes time in
 * proportion to both lengths, whatever they hold: patterns are users', but texts are senders'.
 */
export function fitsGlob(pattern: string, text: string, kind: 'text' | 'path' = 'text'): boolean {
  let places: Places = new Set([0])
  for (const { word, star } of partsOf(pattern, kind)) {
    places = word === '' ? places : afterWord(places, text, word)
    if (star !== undefined) places = afterStar(places, text, star)
    if (places.size === 0) return false
  }
  return places.has(text.length)
}

/** How far the text may have been used up. */
type Places = ReadonlySet<number>

type Part = { readonly word: string; readonly star: 'any' | 'segment' | undefined }

function partsOf(pattern: string, kind: 'text' | 'path'): readonly Part[] {
  const parts: Part[] = []
  let rest = pattern
  for (;;) {
    const [found = '', stars] = /^[^*]*(\*+)/.exec(rest) ?? []
    if (stars === undefined) return [...parts, { word: rest, star: undefined }]
    const star = kind === 'path' && stars.length === 1 ? 'segment' : 'any'
    parts.push({ word: found.slice(0, -stars.length), star })
    rest = rest.slice(found.length)
  }
}

function afterWord(places: Places, text: string, word: string): Places {
  const next = new Set<number>()
  for (const place of places) if (text.startsWith(word, place)) next.add(place + word.length)
  return next
}

function afterStar(places: Places, text: string, star: 'any' | 'segment'): Places {
  const next = new Set<number>()
  let isOpen = false
  for (let place = 0; place <= text.length; place += 1) {
    if (places.has(place)) isOpen = true
    if (isOpen) next.add(place)
    if (star === 'segment' && text[place] === '/') isOpen = false
  }
  return next
}
