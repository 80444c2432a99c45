const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text for HTML, SVG and XML. What XML cannot hold at all becomes a replacement character. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
}
