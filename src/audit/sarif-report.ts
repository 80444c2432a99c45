import { type AuditReport, ignoreWithoutReason } from './audit.ts'
import type { RuleWords, Severity } from './finding.ts'
import { allRules } from './rules/all-rules.ts'

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', hint: 'note' }

/** The report as code scanning reads it: SARIF 2.1.0. */
export function sarifReport(report: AuditReport, version: string): string {
  const rules: readonly RuleWords[] = [...allRules, ignoreWithoutReason]
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'oncehook', semanticVersion: version, rules: rules.map(described) } },
        columnKind: 'utf16CodeUnits',
        results: report.findings.map(({ rule, severity, story, cure, link, file, line, column }) => ({
          ruleId: rule,
          ruleIndex: rules.findIndex(({ name }) => name === rule),
          level: levels[severity],
          message: { text: `${story} ${cure} See ${link}.` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: report.skipped.map(({ file, reason }) => ({
              level: 'note',
              message: { text: `${file} was skipped. ${reason}` },
            })),
          },
        ],
      },
    ],
  }
  return JSON.stringify(document, undefined, 2)
}

function described({ name, severity, title, cure, link }: RuleWords): object {
  return {
    id: name,
    name,
    shortDescription: { text: title },
    help: { text: `${cure} See ${link}.` },
    defaultConfiguration: { level: levels[severity] },
  }
}
