import { isIn, type Mutation, named } from './mutation.ts'

const umlauts = 'Grüße, Zoë — 山田 太郎 🎌 👩‍👩‍👧'

/** Bodies that are signed as they are, so that both of us should believe them. */
export const bodies: readonly Mutation[] = [
  ...named<(made: string) => string | Uint8Array>(
    {
      'a body with é and emoji': (made) => withNote(made, umlauts),
      'a body with escapes': (made) => withNote(made, String.raw`\u00e9 \uD83D\uDE80 \/ \" \\ \n \u0000 \ud800`),
      'a body with HTML': (made) => withNote(made, `<b>&amp;</b> \u2028 ' %7B %20 +`),
      'a body with spaces and line feeds': (made) => indented(made, '\n'),
      'a body with CRLF': (made) => indented(made, '\r\n'),
      'a body with a trailing newline': (made) => `${made}\n`,
      'a body with a leading newline': (made) => `\n${made}`,
      'a body with large numbers': (made) => withField(made, '"amount":12345678901234567890,"rate":1.0,"small":1e-7'),
      'a body with a name twice': (made) => withField(made, '"note":"one","note":"two"'),
      'a very long body': (made) => withNote(made, 'Zoë '.repeat(20_000)),
      'a body with a byte order mark': (made) => `\uFEFF${made}`,
      'a body that is not JSON': () => 'hello=world&é=1',
      'a body that is not UTF-8': (made) => Buffer.concat([Buffer.from(made), Buffer.from([0xff, 0xfe, 0xe9])]),
      'an empty body': () => '',
    },
    (body) => ({ isMeantFor: ({ adapter }) => isIn(adapter.bodies, 'json'), prepare: () => ({ body }) }),
  ),
  ...named<(made: string) => string>(
    {
      'a form with é and emoji': (made) => `${made}&Note=${encodeURIComponent(umlauts)}`,
      'a form with spaces and signs': (made) => `${made}&Note=a+b%20c%2Bd%26e%3Df&Other=%3Cb%3E%0D%0A`,
      'a form with an empty field': (made) => `${made}&Note=`,
      'a form with a field twice': (made) => `${made}&Note=b&Note=a`,
      'a form with the same field twice': (made) => `${made}&Note=a&Note=a`,
      'a form with names in other case': (made) => `${made}&note=1&Note=2&NOTE=3`,
      'a very long form': (made) => `${made}&Note=${'a'.repeat(50_000)}`,
      'an empty form': () => '',
    },
    (body) => ({ isMeantFor: ({ adapter }) => isIn(adapter.bodies, 'form'), prepare: () => ({ body }) }),
  ),
]

function withNote(made: string, note: string): string {
  return withField(made, `"note":"${note}"`)
}

/** The first object of the document begins with one more field. */
function withField(made: string, field: string): string {
  return made.replace('{', () => `{${field},`).replace(',}', '}')
}

/** Some providers send forms as well. */
function indented(made: string, lineEnd: string): string {
  if (!/^[[{]/.test(made)) return made + lineEnd
  return JSON.stringify(JSON.parse(made), undefined, 2).replaceAll('\n', lineEnd)
}
