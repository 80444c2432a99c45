import type { SearchableProject } from '../finding.ts'

/** Whether the project says that a table has a unique key: in SQL, in a schema of Prisma or Mongoose, or in one of Drizzle. */
export function hasUniqueKey(table: string, { files, others, text }: SearchableProject): boolean {
  const snake = table.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
  const name = String.raw`["'\`]?(?:${table}|${snake}s?)["'\`]?`.replaceAll('$', '')
  const patterns = [
    String.raw`create\s+table[^;(]*\b${name}\s*\([^;]*\b(?:primary\s+key|unique)\b`,
    String.raw`create\s+unique\s+index[^;]*\bon\s+[\w.]*${name}`,
    String.raw`\bmodel\s+${name}\s*\{[^}]*@{1,2}(?:id|unique)\b`,
    String.raw`\w*[Tt]able\(\s*${name}\s*,[\s\S]{0,400}?\b(?:primaryKey|unique)\(`,
    String.raw`\bmodel\(\s*${name}\s*,[\s\S]{0,400}?\bunique:\s*true`,
  ].map((pattern) => new RegExp(pattern, 'i'))
  return [...files, ...others].some((file) => {
    const content = text(file)
    return patterns.some((pattern) => pattern.test(content))
  })
}
