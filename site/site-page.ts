import { dirname, join, normalize, relative } from 'node:path/posix'

/** Where a page of the repository is on the site; undefined if it is not there. */
export function sitePathOf(page: string): string | undefined {
  if (page === 'README.md') return 'index.md'
  if (page === 'docs/providers/README.md') return 'providers/index.md'
  if (/^docs\/.+\.(?:md|svg)$/.test(page)) return page.slice('docs/'.length)
  return pagesOfProject.get(page)
}

/** What stands beside the code and is read on the site too. */
export const pagesOfProject: ReadonlyMap<string, string> = new Map(
  ['CHANGELOG.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].map((page) => [page, page.toLowerCase()]),
)

/**
 * The text of a page as the site has it. Links follow the pages to their new places; what is only in the repository is linked there, or,
 * as long as it has no address, only named. In prose, braces are no template and angles no markup.
 */
export function toSitePage(page: string, text: string, repositoryAddress: string | undefined): string {
  const from = dirname(sitePathOf(page) ?? page)
  return outsideOfCode(text, (prose) =>
    prose
      .replaceAll(
        /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
        (link, mark: string, label: string, target: string) => {
          if (/^(?:[a-z]+:|#)/.test(target)) return link
          const [path = '', anchor] = target.split('#', 2)
          const file = normalize(join(dirname(page), path))
          const place = sitePathOf(file)
          const fragment = anchor === undefined ? '' : `#${anchor}`
          if (place !== undefined) return `${mark}[${label}](${relativeTo(from, place)}${fragment})`
          return repositoryAddress === undefined ? label : `${mark}[${label}](${repositoryAddress}/${file}${fragment})`
        },
      )
      .replaceAll('{{', '&#123;&#123;')
      .replaceAll(/<(?=[a-z]+[\s>])/gi, '&lt;'),
  )
}

/** Where a heading can be linked to, as GitHub makes it: a link is the same there and on the site. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

function relativeTo(folder: string, place: string): string {
  const path = relative(folder, place)
  return path.startsWith('.') ? path : `./${path}`
}

const code = /^```[\s\S]*?^```$|`[^`\n]+`/gm

function outsideOfCode(text: string, change: (prose: string) => string): string {
  // A link's label may hold code, so code is put away, with a mark of Unicode's private area in its place, and put back.
  const kept: string[] = []
  const put = text.replaceAll(code, (block) => `\uE000${kept.push(block) - 1}\uE000`)
  return change(put).replaceAll(/\uE000(\d+)\uE000/g, (_, index: string) => kept[Number(index)] ?? '')
}
