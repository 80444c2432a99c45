// What has to be so before a tag is published: `node scripts/check-release.mjs v1.2.3`. Says all that is missing at once.
import { readFileSync } from 'node:fs'
import process from 'node:process'

const [tag = ''] = process.argv.slice(2)
const { version, repository, private: isPrivate } = JSON.parse(read('package.json'))
const dated = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm')

const missing = [
  tag !== `v${version}` && `The tag is ${tag || 'not given'}, package.json says ${version}: run npm version.`,
  isPrivate === true && 'package.json is private.',
  repository === undefined &&
    'package.json has no "repository". npm compares it with the one that publishes, and refuses provenance without it.',
  !dated.test(read('CHANGELOG.md')) && `CHANGELOG.md has no chapter "## ${version} (YYYY-MM-DD)".`,
  !read('docs/upgrading.md').includes(`### ${version}`) && `docs/upgrading.md has no chapter "### ${version}".`,
].filter((sentence) => sentence !== false)

for (const sentence of missing) console.error(sentence)
if (missing.length === 0) console.log(`${tag} can be published.`)
process.exitCode = missing.length === 0 ? 0 : 1

function read(path) {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
}
