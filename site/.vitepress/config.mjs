import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { mistakesIn, sections } from '../navigation.ts'
import { pagesOfDocs } from '../pages.ts'
import { pagesOfProject, sitePathOf, slugOf } from '../site-page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = [...pagesOfDocs(root).filter((page) => page.endsWith('.md')), ...pagesOfProject.keys()]
const isOfProvider = (page) => /^docs\/providers\/(?!README)/.test(page)

const mistakes = mistakesIn(
  sections,
  pages.filter((page) => !isOfProvider(page)),
)
if (mistakes.length > 0) throw new Error(mistakes.join('\n'))

export default defineConfig({
  title: 'Oncehook',
  description: 'Every webhook takes effect exactly once, inside your own Postgres transaction.',
  lang: 'en',
  srcDir: 'pages',
  // A broken link fails the build.
  ignoreDeadLinks: false,
  lastUpdated: false,
  markdown: { anchor: { slugify: slugOf }, image: { lazyLoading: true }, config: keepBraces },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/logo.svg' }]],
  vite: { build: { chunkSizeWarningLimit: 4096 } },
  themeConfig: {
    logo: '/logo.svg',
    outline: [2, 3],
    // The index is part of the site: searching asks no other server.
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { fuzzy: 0.1, boost: { title: 4, text: 2, titles: 1 } } } },
    },
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'How it works', link: '/how-it-works' },
      { text: 'Providers', link: '/providers/' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'API', link: '/api/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: { '/': sections.map(sidebarSection), '/api/': apiSidebar() },
    footer: { message: 'Licence: MIT' },
  },
})

/** Braces in code are what they are, also in a line of text. */
function keepBraces({ renderer }) {
  const plain = renderer.rules.code_inline
  renderer.rules.code_inline = (...given) => plain(...given).replace('<code', '<code v-pre')
}

function sidebarSection({ title, pages: listed, isFolded }) {
  const items = listed.map(itemOf)
  if (title === 'Providers')
    items.push({ text: 'All of them', collapsed: true, items: pages.filter(isOfProvider).map(itemOf) })
  if (title === 'Reference') items.unshift({ text: 'API', link: '/api/' })
  return { text: title, collapsed: isFolded ?? false, items }
}

function itemOf(page) {
  return { text: titleOf(readFileSync(join(root, page), 'utf8')), link: linkOf(sitePathOf(page)) }
}

function linkOf(path) {
  return `/${path.replace(/(?:index)?\.md$/, '')}`
}

function titleOf(text) {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '')
}

/** One entry for each path that can be imported, the providers folded. */
function apiSidebar() {
  const names = readdirSync(join(root, 'site/pages/api'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name.startsWith('oncehook'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.md$/, ''))
    .toSorted()
  const isOfProvider = (name) => name.startsWith('oncehook/providers/')
  const itemsOf = (chosen) => chosen.map((name) => ({ text: name, link: `/api/${name}` }))
  return [
    { text: 'What can be imported', link: '/api/', items: itemsOf(names.filter((name) => !isOfProvider(name))) },
    { text: 'Providers', collapsed: true, items: itemsOf(names.filter(isOfProvider)) },
    { text: 'Documentation', link: '/getting-started' },
  ]
}
