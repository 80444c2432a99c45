import { type Mutation, named } from './mutation.ts'

/** Another address than the one that was signed. */
export const changedUrls: readonly Mutation[] = named<(url: string) => string>(
  {
    'the path changed': (url) => url.replace(/(https?:\/\/[^/?]+)([^?]*)/, '$1$2x'),
    'the path in upper case': (url) =>
      url.replace(/(https?:\/\/[^/?]+)([^?]*)/, (_all, host, path) => host + path.toUpperCase()),
    'a slash after the path': (url) => url.replace(/(https?:\/\/[^/?]+)([^?]*)/, '$1$2/'),
    'another host': (url) => url.replace('hooks.example.com', 'hooks.example.org'),
    'another protocol': (url) => url.replace('https://', 'http://'),
    'a query that was not signed': (url) => `${url}${url.includes('?') ? '&' : '?'}added=1`,
    'an empty query that was not signed': (url) => (url.includes('?') ? `${url}&` : `${url}?`),
    'an escape in the path': (url) => url.replace('/hooks', '/%68ooks').replace('.com/', '.com/%2F'),
  },
  (change) => ({
    isMeantFor: ({ facts }) => facts.isUrlSigned,
    change: (delivery) => ({ ...delivery, url: change(delivery.url) }),
  }),
)
