/** Which values of a row are unlike the first one. A value that is missing is unlike any other. */
export function differing(values: readonly unknown[]): readonly boolean[] {
  const texts = values.map(valueText)
  return texts.map((text) => text !== texts[0])
}

/** A value as one line: texts as they are, everything else as JSON, nothing for what is missing. */
export function valueText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Reads `receipt:12,capture:7`: at most five, each once. */
export function itemsOf(
  text: string | undefined,
): readonly { readonly kind: 'receipt' | 'capture'; readonly id: string }[] {
  const items = (text ?? '').split(',').flatMap((part) => {
    const [, kind, id] = /^(receipt|capture):(.+)$/.exec(part) ?? []
    return (kind === 'receipt' || kind === 'capture') && id !== undefined ? [{ kind, id } as const] : []
  })
  return items
    .filter((item, index) => items.findIndex(({ kind, id }) => kind === item.kind && id === item.id) === index)
    .slice(0, 5)
}
