/** What a `pg` client answers with. */
export type PgResult<Row> = {
  readonly rows: Row[]
  readonly rowCount: number | null
  readonly command: string
}

export type PgQueryConfig = { readonly text: string; readonly values?: unknown[]; readonly name?: string }

/** The open transaction that a handler gets: a client of `pg` that is alive until the handler returns. */
export type PgTransaction = {
  query<Row = Record<string, unknown>>(
    query: string | PgQueryConfig,
    values?: readonly unknown[],
  ): Promise<PgResult<Row>>
}

/** The part of a client of `pg` that is needed here, so that the package stays out of our dependencies. */
export type PgClient = {
  query(text: string, values?: unknown[]): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'notice', listener: (notice: PgNotice) => void): unknown
  on(event: 'notification', listener: (message: { readonly channel: string }) => void): unknown
  on(event: 'end', listener: () => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'notice', listener: (notice: PgNotice) => void): unknown
  removeListener(event: 'notification', listener: (message: { readonly channel: string }) => void): unknown
  removeListener(event: 'end', listener: () => void): unknown
  release(destroy?: boolean): void
  getTypeParser?(...parameters: readonly unknown[]): unknown
  /** Of the server as it introduced itself, which a pooler does in its own name. */
  readonly processID?: number | null | undefined
}

export type PgNotice = { readonly message?: string | undefined }

/** The part of a `pg` Pool that is needed here. */
export type PgPool = {
  connect(): Promise<PgClient>
  on(event: 'error', listener: (error: Error) => void): unknown
  end(): Promise<void>
  readonly options?: { readonly max?: number | undefined }
}
