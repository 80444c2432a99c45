import { localNameOf, type XmlElement } from './xml.ts'

/** An element as plain data: its text, its children by their local names, or null where it says that it is `nil`. */
export function xmlValue(element: XmlElement | undefined): unknown {
  if (element === undefined) return undefined
  if (xmlAttribute(element, 'nil') === 'true') return null
  return element.children.length === 0 ? element.text : xmlFields(element)
}

/** The children of an element as plain data, by their local names; of several with one name the last. */
export function xmlFields({ children }: XmlElement): Readonly<Record<string, unknown>> {
  return Object.fromEntries(children.map((child) => [localNameOf(child.name), xmlValue(child)]))
}

/** The value of an attribute, whatever its prefix. */
export function xmlAttribute({ attributes }: XmlElement, localName: string): string | undefined {
  return [...attributes].find(([name]) => localNameOf(name) === localName)?.[1]
}
