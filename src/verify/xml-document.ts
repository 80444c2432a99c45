import { isObject } from './object.ts'
import { escapeXml, type XmlElement } from './xml.ts'

/**
 * An element as a plain value, the way Rails means it: `nil="true"` is null, `type="array"` a list of its children,
 * `type="integer"` and `type="boolean"` what they say. Otherwise an element with children is an object, with names in camel case
 * and a list where a name comes several times; one without children is its text.
 */
export function valueOfXml(element: XmlElement): unknown {
  const { attributes, children, text } = element
  if (attributes.get('nil') === 'true') return null
  const type = attributes.get('type')
  if (type === 'array') return children.map(valueOfXml)
  if (type === 'boolean') return text.trim() === 'true'
  if (type === 'integer') return integerOf(text.trim())
  return children.length === 0 ? text : objectOf(children)
}

/** A plain value as an element that `valueOfXml` reads. */
export function xmlOfValue(name: string, value: unknown): string {
  const tag = hyphenated(name)
  if (value === null || value === undefined) return `<${tag} nil="true"></${tag}>`
  if (Array.isArray(value)) {
    return `<${tag} type="array">${value.map((item) => xmlOfValue('item', item)).join('')}</${tag}>`
  }
  if (isObject(value)) {
    const content = Object.entries(value).map(([inner, member]) => xmlOfValue(inner, member))
    return `<${tag}>${content.join('')}</${tag}>`
  }
  if (typeof value === 'boolean') return `<${tag} type="boolean">${value}</${tag}>`
  if (Number.isSafeInteger(value)) return `<${tag} type="integer">${value as number}</${tag}>`
  return `<${tag}>${escapeXml(typeof value === 'string' ? value : JSON.stringify(value))}</${tag}>`
}

/** What does not fit a number stays text, so that no digit is lost. */
function integerOf(text: string): number | string {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : text
}

function objectOf(children: readonly XmlElement[]): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown[]>()
  for (const child of children) {
    const name = camelCase(child.name)
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [valueOfXml(child)])
    else earlier.push(valueOfXml(child))
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]))
}

function camelCase(name: string): string {
  return name.replaceAll(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function hyphenated(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
