import { generateKeys, sharedKeyPairs } from '../../testing/provider-keys.ts'
import { loadSamples } from '../../testing/samples/index.ts'
import { wrongUsage } from '../failure.ts'
import { loadProvider } from '../provider-catalogue.ts'
import { functionOf, givenOptions, keyVariable } from '../provider-page.ts'
import type { ChosenProvider } from './webhook-files.ts'

/** Made when the first provider needs one: pairs take a while. */
const pairs = sharedKeyPairs()

/** A provider of the catalogue, with what its code and its test need to know. */
export async function chooseProvider(name: string): Promise<ChosenProvider> {
  const make = await loadProvider(name)
  if (make === undefined) throw wrongUsage(`There is no provider ${JSON.stringify(name)}. See: npx oncehook providers`)
  const samples = await loadSamples(name)
  const now = new Date()
  const provider = make(generateKeys(name, make, now, { pairs }))
  const event = samples.make({ at: now })
  const [one = [], another = []] = [1, 2].map(() => {
    const events = provider.identify(provider.sign(event, now))
    return 'kind' in events ? [] : events
  })
  const [type = '*'] = samples.types
  return {
    name,
    create: functionOf(name),
    given: givenOptions(name, make, samples.settings),
    variable: keyVariable(name, make),
    type,
    events: one.length,
    hasStableIds: one.every(({ id }, index) => id === another[index]?.id),
  }
}
