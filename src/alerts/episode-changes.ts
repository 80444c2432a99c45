import type { AlertMute, AlertSituation, Episode, EpisodeChange, EpisodeMessage } from '../store/alert-store.ts'
import { type AlertToTell, alertMessage, messageJson } from './alert-message.ts'
import type { AlertSettings } from './alert-options.ts'
import { type Finding, openEpisode } from './rules.ts'

type Changing = {
  readonly situation: AlertSituation
  readonly settings: AlertSettings
  readonly environment: string
}

/**
 * What becomes of the episodes: opened by what fires, kept open by whatever holds, told once unless it is muted, and resolved when nothing
 * of it was seen for long enough.
 */
export function episodeChanges(findings: readonly Finding[], changing: Changing): readonly EpisodeChange[] {
  const { situation, settings } = changing
  const seen = findings.flatMap((finding) => {
    const open = openEpisode(situation, finding.rule, finding.source)
    if (open !== undefined) return [goOn(open, finding, changing)]
    return finding.level === 'firing' ? [begin(finding, changing)] : []
  })
  const quietBefore = situation.at.getTime() - settings.resolveAfterSeconds * 1000
  const isSeen = ({ rule, source }: Episode): boolean =>
    findings.some((finding) => finding.rule === rule && finding.source === source)
  const over = situation.open.filter((alert) => !isSeen(alert) && alert.lastSeenAt.getTime() <= quietBefore)
  return [...seen, ...over.map((alert) => end(alert, changing))]
}

function begin({ rule, source, figures }: Finding, changing: Changing): EpisodeChange {
  const { at, mutes } = changing.situation
  const isTold = !isMuted(mutes, { rule, source })
  const told = { kind: 'opened', rule, source, openedAt: at, lastSeenAt: at, figures } as const
  return { kind: 'open', at, rule, source, figures, isTold, messages: isTold ? tell(told, 'opened', changing) : silent }
}

function goOn(open: Episode, { figures }: Finding, changing: Changing): EpisodeChange {
  const { situation, settings } = changing
  const { at, mutes } = situation
  const { id, rule, source, openedAt, reminders, toldAt } = open
  const told = { rule, source, openedAt, lastSeenAt: at, figures }
  const change = { id, at, rule, source, figures }
  if (!isMuted(mutes, open)) {
    if (toldAt === undefined)
      return { ...change, kind: 'tell', messages: tell({ kind: 'opened', ...told }, 'opened', changing) }
    if (isReminderDue(open, at, settings)) {
      const messages = tell({ kind: 'reminder', ...told }, `reminder-${reminders + 1}`, changing)
      return { ...change, kind: 'remind', remindersBefore: reminders, messages }
    }
  }
  return { ...change, kind: 'see', messages: silent }
}

/** Told even if it has been muted since: whoever heard of it waits for its end. */
function end(open: Episode, changing: Changing): EpisodeChange {
  const { id, rule, source, openedAt, lastSeenAt, toldAt, latestFigures: figures } = open
  const told = { kind: 'resolved', rule, source, openedAt, lastSeenAt, figures } as const
  const messages = toldAt === undefined ? silent : tell(told, 'resolved', changing)
  return { kind: 'resolve', id, at: changing.situation.at, rule, source, messages }
}

const silent = (): readonly EpisodeMessage[] => []

function tell(
  alert: Omit<AlertToTell, 'id' | 'environment' | 'at'>,
  step: string,
  { situation, settings, environment }: Changing,
): EpisodeChange['messages'] {
  return (id) =>
    settings.to.map(({ target, format }) => ({
      target,
      key: `alert-${id}-${step}`,
      message: messageJson(alertMessage({ ...alert, id, environment, at: situation.at }), format),
    }))
}

function isReminderDue(
  { toldAt, remindedAt, acknowledged }: Episode,
  at: Date,
  { remindSeconds }: AlertSettings,
): boolean {
  if (remindSeconds === undefined || acknowledged !== undefined) return false
  const last = remindedAt ?? toldAt ?? at
  return at.getTime() - last.getTime() >= remindSeconds * 1000
}

function isMuted(mutes: readonly AlertMute[], { rule, source }: Pick<Episode, 'rule' | 'source'>): boolean {
  return mutes.some(
    (mute) => (mute.rule === undefined || mute.rule === rule) && (mute.source === undefined || mute.source === source),
  )
}
