// The reference of everything that can be imported, made from the sources: one page for each path of package.json's `exports`.
// An export without a sentence, and a link in a comment that leads nowhere, fail the build.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application } from 'typedoc'
import { slugOf } from './site-page.ts'

const site = fileURLToPath(new URL('.', import.meta.url))
const root = join(site, '..')

/** Each path that a user may import, and the source behind it. */
export function publicPaths() {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([path, target]) => {
    if (!target.endsWith('.js')) return []
    const source = target.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
    const publicPath = name + path.slice(1)
    if (!source.includes('*')) return [[publicPath, source]]
    const [folder = '', end = ''] = source.split('*')
    return readdirSync(join(root, folder))
      .filter((file) => file.endsWith(end) && !file.endsWith('.test.ts'))
      .map((file) => [publicPath.replace('*', file.slice(0, -end.length)), folder + file])
  })
}

/** Writes the pages into a folder. Rejects with what is not documented. */
export async function writeApi(folder) {
  const paths = publicPaths()
  const application = await Application.bootstrapWithPlugins({
    entryPoints: paths.map(([, source]) => join(root, source)),
    tsconfig: join(site, 'tsconfig.api.json'),
    plugin: ['typedoc-plugin-markdown'],
    logLevel: 'Warn',
    readme: 'none',
    excludeExternals: true,
    excludeInternal: true,
    disableGit: true,
    sourceLinkTemplate: '{path}',
    basePath: root,
    validation: { notDocumented: true, notExported: false, invalidLink: true },
    // What is exported. Members of a type speak for themselves, or have a comment where they do not.
    requiredToBeDocumented: ['Enum', 'Variable', 'Class', 'Interface', 'TypeAlias'],
    treatValidationWarningsAsErrors: true,
  })
  application.options.setValue('router', 'module')
  application.options.setValue('entryFileName', 'index')
  application.options.setValue('hideBreadcrumbs', true)
  application.options.setValue('hidePageHeader', true)
  application.options.setValue('useCodeBlocks', true)
  application.options.setValue('tableColumnSettings', { hideSources: true, hideModifiers: true })
  for (const list of [
    'parametersFormat',
    'propertiesFormat',
    'typeAliasPropertiesFormat',
    'typeDeclarationFormat',
    'propertyMembersFormat',
  ]) {
    application.options.setValue(list, 'table')
  }
  const project = await application.convert()
  if (project === undefined) throw new Error('TypeDoc could not read the sources.')
  const nameOf = new Map(paths.map(([name, source]) => [join(root, source), name]))
  for (const module of project.children ?? []) {
    const [file] = module.sources ?? []
    module.name = nameOf.get(file?.fullFileName ?? '') ?? module.name
  }
  // They were needed for the names only: the site does not know where the repository is.
  for (const reflection of Object.values(project.reflections)) delete reflection.sources
  application.validate(project)
  for (const name of functionsWithoutComment(project))
    application.logger.validationWarning(`${name} has no documentation`)
  if (application.logger.hasErrors() || application.logger.validationWarningCount > 0) {
    throw new Error('Write a sentence above each export that is named above.')
  }
  application.options.setValue('out', folder)
  await application.generateOutputs(project)
  mendAnchors(folder)
  return (project.children ?? []).map(({ name }) => name)
}

/** Where names differ only by capital letters and dots, TypeDoc numbers a heading that stands alone on its page. */
function mendAnchors(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )) {
    const text = readFileSync(join(folder, name), 'utf8')
    const slugs = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => slugOf(title))
    const mended = text.replaceAll(/\]\(#([\w-]+)-\d+\)/g, (link, slug) =>
      slugs.filter((other) => other === slug).length === 1 ? `](#${slug})` : link,
    )
    if (mended !== text) writeFileSync(join(folder, name), mended)
  }
}

/** TypeDoc would ask for methods of other libraries too, which are known here by a few members. */
function functionsWithoutComment(project) {
  return (project.children ?? []).flatMap((module) =>
    (module.children ?? [])
      .filter(
        ({ signatures }) =>
          signatures !== undefined && !signatures.some(({ comment }) => comment?.hasVisibleComponent()),
      )
      .map((declaration) => declaration.getFullName()),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = await writeApi(join(site, 'pages/api'))
  console.log(names.join('\n'))
}
