/** An element of an XML document. */
export type XmlElement = {
  /** As it is written, with its prefix if it has one. */
  readonly name: string
  /** By the names as they are written. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The text between the tags, CDATA sections included; that of its children is theirs. */
  readonly text: string
}

type OpenElement = XmlElement & { readonly children: XmlElement[]; text: string }

/** Larger and deeper than any notification; what walks the result may call itself once per level. */
const longestText = 4 * 1024 * 1024
const deepestLevel = 64

const namePattern = '[\\p{L}_:][\\p{L}\\p{N}\\p{M}_:.\\-]*'
const declaration = /^\ufeff?<\?xml\s[^<>?]*\?>/
const startOfTag = new RegExp(`^${namePattern}`, 'u')
const attribute = new RegExp(`\\s+(${namePattern})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'uy')
/** What XML 1.0 allows nowhere. */
const forbiddenCharacter = /[^\t\n\r\u0020-\ufffd]/

/**
 * Reads untrusted XML strictly; undefined if it is not well-formed or too large. There is no DTD, so nothing outside of the text
 * is ever read and no entity can grow: known are `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numbers.
 */
export function parseXml(text: string): XmlElement | undefined {
  if (text.length > longestText || forbiddenCharacter.test(text) || !text.isWellFormed()) return undefined
  const content = text.replace(declaration, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const top: OpenElement = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [top]
  let index = 0
  while (index < content.length) {
    const read = readPiece(content, index, open)
    if (read === undefined || open.length > deepestLevel + 1) return undefined
    index = read
  }
  const isWhole = open.length === 1 && top.children.length === 1 && top.text.trim() === ''
  return isWhole ? top.children[0] : undefined
}

/** The children of this name, whatever their prefix. */
export function childrenNamed({ children }: XmlElement, localName: string): readonly XmlElement[] {
  return children.filter(({ name }) => localNameOf(name) === localName)
}

/** The one element at the end of a path of local names, such as `Body.notifications`; undefined if a step has none or several. */
export function elementAt(element: XmlElement | undefined, path: string): XmlElement | undefined {
  let found = element
  for (const localName of path.split('.')) {
    const children: readonly XmlElement[] = found === undefined ? [] : childrenNamed(found, localName)
    found = children.length === 1 ? children[0] : undefined
  }
  return found
}

/** A name without its prefix. */
export function localNameOf(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** A text as it can stand between tags and in attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Where the piece that starts here ends; undefined if nothing can start so. Each piece is looked at once. */
function readPiece(content: string, index: number, open: OpenElement[]): number | undefined {
  if (content[index] !== '<') return readText(content, index, open)
  if (content.startsWith('<!--', index)) return readComment(content, index)
  if (content.startsWith('<![CDATA[', index)) return readCdata(content, index, open)
  const end = endOfTag(content, index)
  if (end === undefined) return undefined
  const tag = content.slice(index + 1, end)
  const isRead = tag.startsWith('/') ? open.pop()?.name === tag.slice(1).trimEnd() : openElement(open, tag)
  return isRead && open.length > 0 ? end + 1 : undefined
}

function readText(content: string, index: number, open: readonly OpenElement[]): number | undefined {
  const next = content.indexOf('<', index)
  const end = next < 0 ? content.length : next
  const run = content.slice(index, end)
  return run.includes(']]>') ? undefined : addText(open, resolve(run), end)
}

function readCdata(content: string, index: number, open: readonly OpenElement[]): number | undefined {
  const end = content.indexOf(']]>', index)
  const isInside = end > 0 && open.length > 1
  return isInside ? addText(open, content.slice(index + '<![CDATA['.length, end), end + ']]>'.length) : undefined
}

function addText(open: readonly OpenElement[], text: string | undefined, end: number): number | undefined {
  const element = open.at(-1)
  if (element === undefined || text === undefined) return undefined
  element.text += text
  return end
}

/** Two hyphens are the end of a comment or a mistake. */
function readComment(content: string, index: number): number | undefined {
  const hyphens = content.indexOf('--', index + '<!--'.length)
  return hyphens > 0 && content[hyphens + 2] === '>' ? hyphens + '-->'.length : undefined
}

/** Where the `>` is that is in no quotes. */
function endOfTag(content: string, start: number): number | undefined {
  let quote = ''
  for (let index = start + 1; index < content.length; index += 1) {
    const character = content[index] as string
    if (character === '<') return undefined
    if (quote === '' && character === '>') return index
    if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === quote) quote = ''
  }
  return undefined
}

function openElement(open: OpenElement[], tag: string): boolean {
  const isEmpty = tag.endsWith('/')
  const [name] = startOfTag.exec(tag) ?? []
  if (name === undefined) return false
  const attributes = readAttributes(tag.slice(name.length, isEmpty ? -1 : undefined))
  if (attributes === undefined) return false
  const element: OpenElement = { name, attributes, children: [], text: '' }
  open.at(-1)?.children.push(element)
  if (!isEmpty) open.push(element)
  return true
}

function readAttributes(text: string): ReadonlyMap<string, string> | undefined {
  const attributes = new Map<string, string>()
  const end = text.trimEnd().length
  let index = 0
  while (index < end) {
    attribute.lastIndex = index
    const [whole, name = '', quoted, apostrophed] = attribute.exec(text) ?? []
    const value = resolve((quoted ?? apostrophed ?? '').replace(/[\t\n]/g, ' '))
    if (whole === undefined || value === undefined || attributes.has(name)) return undefined
    attributes.set(name, value)
    index += whole.length
  }
  return attributes
}

const namedEntities = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

const reference = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));/y

/** The text with its references resolved once; undefined if one is unknown. */
function resolve(text: string): string | undefined {
  let resolved = ''
  let copied = 0
  for (let start = text.indexOf('&'); start >= 0; start = text.indexOf('&', copied)) {
    reference.lastIndex = start
    const [whole, decimal, hex = '', name] = reference.exec(text) ?? []
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const character = name === undefined ? characterOf(code) : namedEntities.get(name)
    if (whole === undefined || character === undefined) return undefined
    resolved += text.slice(copied, start) + character
    copied = start + whole.length
  }
  return resolved + text.slice(copied)
}

function characterOf(code: number): string | undefined {
  if (!(code >= 1 && code <= 0x10ffff)) return undefined
  const character = String.fromCodePoint(code)
  return forbiddenCharacter.test(character) || !character.isWellFormed() ? undefined : character
}
