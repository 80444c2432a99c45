import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
export const rulesFile = join(root, 'deploy/prometheus/oncehook.rules.yml')

type Panel = {
  readonly type: string
  readonly title: string
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

export type DashboardQuery = { readonly panel: string; readonly expression: string; readonly legend: string }

/** The queries of the dashboard, with values for Grafana's variables. */
export function dashboardQueries(): readonly DashboardQuery[] {
  const { panels } = JSON.parse(readFileSync(join(root, 'deploy/grafana/oncehook.json'), 'utf8')) as {
    readonly panels: readonly Panel[]
  }
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ panel: title, expression: withValues(expr), legend: legendFormat })),
  )
}

function withValues(expression: string): string {
  return expression.replaceAll('$__rate_interval', '5m').replaceAll(/"\$(?:source|job)"/g, '".*"')
}

/** The metrics that an expression asks for, with the labels that it picks by. */
export function selectorsOf(
  expression: string,
): readonly { readonly metric: string; readonly labels: readonly string[] }[] {
  return [...expression.matchAll(/\b(oncehook_\w+)(?:\{([^}]*)\})?/g)].map(([, metric = '', matchers = '']) => ({
    metric,
    labels: [...matchers.matchAll(/(\w+)\s*=/g)].map(([, label = '']) => label),
  }))
}

/** The labels that an expression groups by. */
export function groupsOf(expression: string): readonly string[] {
  return [...expression.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  )
}
