import type { PackageManager, Project } from './project.ts'

const adding: Readonly<Record<PackageManager, { readonly add: readonly string[]; readonly development: string }>> = {
  npm: { add: ['npm', 'install'], development: '--save-dev' },
  pnpm: { add: ['pnpm', 'add'], development: '--save-dev' },
  yarn: { add: ['yarn', 'add'], development: '--dev' },
  bun: { add: ['bun', 'add'], development: '--dev' },
}

type Needed = { readonly packages: readonly string[]; readonly developmentPackages: readonly string[] }

/** The commands that install what is missing: at most one for the app and one for its tests. */
export function installCommands(
  project: Pick<Project, 'packages' | 'packageManager'>,
  needed: Needed,
): readonly (readonly string[])[] {
  const { add, development } = adding[project.packageManager]
  const packages = needed.packages.filter((name) => !project.packages.has(name))
  const developmentPackages = needed.developmentPackages.filter(
    (name) => !project.packages.has(name) && !packages.includes(name),
  )
  return [
    ...(packages.length === 0 ? [] : [[...add, ...packages]]),
    ...(developmentPackages.length === 0 ? [] : [[...add, development, ...developmentPackages]]),
  ]
}
