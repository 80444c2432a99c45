/** One step of the schema. Once released it is never changed, only followed by another. */
export type Migration = {
  readonly version: number
  readonly name: string
  /** True if code from before this step cannot work with what it leaves behind. */
  readonly isBreaking: boolean
  /** One statement each, for a schema name that is already quoted. All run in one transaction. */
  readonly statements: (schema: string) => readonly string[]
}
