import { describe, expect, test } from 'vitest'
import { sitePathOf, toSitePage } from '../../site/site-page.ts'

describe('a page on the site', () => {
  test('stands where its links lead', () => {
    expect(
      ['docs/errors.md', 'docs/providers/README.md', 'docs/providers/stripe.md', 'SECURITY.md'].map(sitePathOf),
    ).toEqual(['errors.md', 'providers/index.md', 'providers/stripe.md', 'security.md'])
    expect(sitePathOf('deploy/grafana/oncehook.json')).toBeUndefined()
  })

  test.each([
    ['docs/a.md', '[errors](errors.md#from-handlers)', '[errors](./errors.md#from-handlers)'],
    ['docs/a.md', '[`all`](providers/README.md)', '[`all`](./providers/index.md)'],
    ['docs/a.md', '![bars](benchmarks.svg)', '![bars](./benchmarks.svg)'],
    ['docs/providers/stripe.md', '[security](../../SECURITY.md)', '[security](../security.md)'],
    ['SECURITY.md', '[privacy](docs/privacy.md)', '[privacy](./privacy.md)'],
    [
      'docs/a.md',
      '[here](#part) and [there](https://example.com/a.md)',
      '[here](#part) and [there](https://example.com/a.md)',
    ],
    ['docs/a.md', '[rules](../deploy/rules.yml)', 'rules'],
    ['docs/a.md', 'a {{ticket.id}}, `{{code}}`, a <name>', 'a &#123;&#123;ticket.id}}, `{{code}}`, a &lt;name>'],
    ['docs/a.md', '```ts\nconst a = [b](c.md)\n```', '```ts\nconst a = [b](c.md)\n```'],
  ])('%s: %s', (page, text, expected) => {
    expect(toSitePage(page, text, undefined)).toBe(expected)
  })

  test('links to what is only in the repository, once that has an address', () => {
    expect(toSitePage('docs/a.md', '[rules](../deploy/rules.yml)', 'https://example.com/blob/main')).toBe(
      '[rules](https://example.com/blob/main/deploy/rules.yml)',
    )
  })
})
