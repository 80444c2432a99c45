import type { ProviderSamples } from './sample.ts'

/** Notices of Dropbox. There is one type, something changed in an account; some also have the section of the older API. */
export const samples: ProviderSamples = {
  list_folder: ({ unique }) => ({ payload: { list_folder: { accounts: [`dbid:AAH${unique}`] } } }),
  list_folder_and_delta: ({ unique }) => ({
    payload: { list_folder: { accounts: [`dbid:AAH${unique}`] }, delta: { users: [12345678] } },
  }),
}
