import { describe, expect, test } from 'vitest'
import { createInbox, type Redact } from '../../src/index.ts'
import { braintree } from '../../src/providers/braintree.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { pgliteStore } from '../../src/store/pglite/pglite-store.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'
const braintreeKeys = { publicKey: 'the_public_name', secret: 'the private key of the gateway' }

describe('the option redact', () => {
  test.each([
    [['a..'], '"redact": "a.." is no path: at character 4 it ends, where a name, "*" or a bracket was expected.'],
    [['ok', 'a[x]'], `"redact": "a[x]" is no path: at character 2 there has to be [*], [0] or ['name'].`],
    [[1], '"redact" must be a list of paths such as "$.data.object.email", or a function.'],
    ['$.a', '"redact" must be a list of paths'],
  ])('is checked when the source is made: %j', (redact, mistake) => {
    expect(() => stripe({ secret, redact: redact as Redact })).toThrow(mistake)
  })

  test('names every path that is wrong', () => {
    expect(() => stripe({ secret, redact: ['$x', 'b.'] })).toThrow(/"\$x" is no path[\s\S]*"b\." is no path/)
  })

  test('takes no paths where the body is not itself the document', () => {
    expect(() => braintree({ ...braintreeKeys, redact: ['subscription.id'] })).toThrow('give a function, or ["$"]')
    expect(braintree({ ...braintreeKeys, redact: ['$'] }).settings.redact).toEqual(['$'])
    expect(() => braintree({ ...braintreeKeys, redact: () => '' })).not.toThrow()
  })

  test('of the inbox is checked too, for every source that has none of its own', () => {
    const inbox = (redact: Redact, own?: Redact) => () =>
      createInbox({
        store: pgliteStore(),
        sources: { stripe: stripe({ secret }), pay: braintree({ ...braintreeKeys, redact: own }) },
        redact,
      })

    expect(inbox(['b.'])).toThrow('The inbox cannot start: "redact": "b." is no path')
    expect(inbox(['$..email'])).toThrow('sources.pay: "redact" cannot be paths here')
    expect(inbox(['$..email'], [])).not.toThrow()
    expect(inbox(() => '')).not.toThrow()
  })
})
