import type { Provider } from '../../index.ts'
import type { SampleTypes } from './sample-types.ts'

/** A provider by the name of its function: `stripe`, `checkoutCom`, `twitchEventsub`. */
export type ProviderName = keyof SampleTypes

/** What a file of `oncehook/providers/` exports. */
export type ProviderFunction = (options: never) => Provider
