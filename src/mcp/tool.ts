/** Something that a client can ask for. */
export type Tool = {
  readonly name: string
  readonly title: string
  /** For the model that chooses it. */
  readonly description: string
  /** JSON Schema of the arguments, an object. */
  readonly inputSchema: object
  /** JSON Schema of `structured`. */
  readonly outputSchema?: object
  readonly annotations: ToolAnnotations
  /** Rejects only when something is broken here; what the caller did wrong is an answer. */
  readonly call: (given: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<ToolAnswer>
}

export type ToolAnnotations = {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Whether it reaches out of this machine. */
  readonly openWorldHint: boolean
}

export type ToolAnswer =
  | { readonly kind: 'done'; readonly text: string; readonly structured: object }
  /** In words that tell the caller what to do instead. */
  | { readonly kind: 'refused'; readonly text: string }
