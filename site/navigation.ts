/** A chapter of the documentation, and its pages in the order in which they are read. */
export type Section = {
  readonly title: string
  /** Paths in the repository. */
  readonly pages: readonly string[]
  /** Folded until it is opened: for long lists. */
  readonly isFolded?: true
}

/**
 * Every page of `docs/` is in exactly one section, by what its reader needs. The pages of the single providers come by themselves.
 * A test guards it: who adds a page adds it here too.
 */
export const sections: readonly Section[] = [
  { title: 'Start', pages: ['docs/getting-started.md', 'docs/frameworks.md', 'docs/examples.md', 'docs/recipes.md'] },
  {
    title: 'How it works',
    pages: [
      'docs/how-it-works.md',
      'docs/inline-and-queued.md',
      'docs/answers.md',
      'docs/durability.md',
      'docs/what-goes-wrong.md',
      'docs/comparison.md',
      'docs/glossary.md',
    ],
  },
  {
    title: 'Guides',
    pages: [
      'docs/sources.md',
      'docs/handlers.md',
      'docs/effects.md',
      'docs/order.md',
      'docs/outbox.md',
      'docs/outside-calls.md',
      'docs/desired-state.md',
      'docs/transactions.md',
      'docs/retries.md',
      'docs/receipts-and-replay.md',
      'docs/retention.md',
      'docs/privacy.md',
      'docs/redis.md',
      'docs/datastore.md',
      'docs/automations.md',
      'docs/mcp.md',
    ],
  },
  {
    title: 'Testing and proving',
    pages: ['docs/testing.md', 'docs/prover.md', 'docs/audit.md', 'docs/simulate.md', 'docs/cases.md'],
  },
  {
    title: 'In production',
    pages: [
      'docs/going-live.md',
      'docs/security-checklist.md',
      'docs/deployment.md',
      'docs/serverless.md',
      'docs/scaling.md',
      'docs/gateway.md',
      'docs/dashboard.md',
      'docs/dashboard-api.md',
      'docs/captures.md',
      'docs/operations.md',
      'docs/observability.md',
      'docs/alerts.md',
      'docs/retry-patterns.md',
      'docs/recovery.md',
    ],
  },
  { title: 'Providers', pages: ['docs/providers/README.md', 'docs/checked-against.md'] },
  {
    title: 'Migration',
    pages: [
      'docs/adopt.md',
      'docs/migrate-from-a-table.md',
      'docs/migrate-from-hookdeck.md',
      'docs/migrate-from-pg-boss.md',
      'docs/migrate-from-bullmq.md',
    ],
  },
  {
    title: 'Reference',
    pages: ['docs/configuration.md', 'docs/cli.md', 'docs/errors.md', 'docs/schema.md', 'docs/benchmarks.md'],
  },
  {
    title: 'Project',
    pages: ['CHANGELOG.md', 'docs/upgrading.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
  },
]

/** What is wrong with the sections, in sentences that say what to do. Pages of single providers need not be listed. */
export function mistakesIn(sections: readonly Section[], pages: readonly string[]): readonly string[] {
  const listed = sections.flatMap((section) => section.pages)
  return [
    ...pages
      .filter((page) => !listed.includes(page))
      .map((page) => `${page} is in no section of site/navigation.ts: add it where its reader would look for it.`),
    ...listed
      .filter((page) => !pages.includes(page))
      .map((page) => `site/navigation.ts lists ${page}, which is not there.`),
    ...new Set(
      listed
        .filter((page, index) => listed.indexOf(page) !== index)
        .map((page) => `site/navigation.ts lists ${page} more than once: keep one place.`),
    ),
  ]
}
