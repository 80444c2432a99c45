import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp, useLiveRefresh, useLiveState, useMay, useResource } from './api/hooks.ts'
import type { Overview } from './api/types.ts'
import { linkTo, type Route } from './logic/route.ts'
import { pageOf } from './pages/all-pages.tsx'
import { Button } from './ui/basics.tsx'
import { Help } from './ui/help.tsx'
import { Icon, type IconName } from './ui/icons.tsx'
import { applyTheme, isDark } from './ui/theme.ts'
import { useRoute } from './ui/use-route.ts'
import { useShortcuts } from './ui/use-shortcuts.ts'

/** The frame around every page. */
export function Shell() {
  const route = useRoute()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const place = route.path.join('/')
  useShortcuts({ help: () => setHelpOpen(true) })
  useEffect(() => setMenuOpen(false), [place])
  useFreshPage(main, place)
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={(event) => skipTo(event, main.current)}>
        Skip to the content
      </a>
      <header class="top">
        <Brand />
        <ThemeSwitch />
        <Button
          icon={isMenuOpen ? 'close' : 'menu'}
          name={isMenuOpen ? 'Close the menu' : 'Menu'}
          aria-expanded={isMenuOpen}
          aria-controls="side"
          onClick={() => setMenuOpen(!isMenuOpen)}
        />
      </header>
      <Side route={route} isOpen={isMenuOpen} showHelp={() => setHelpOpen(true)} />
      <main class="main" id="main" ref={main} tabIndex={-1}>
        <LostBanner />
        {pageOf(route)}
      </main>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

/** A new page begins at its top, and at its heading for those who listen to it. The first one is where the browser begins anyway. */
function useFreshPage(main: { readonly current: HTMLElement | null }, place: string): void {
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${main.current?.querySelector('h1')?.textContent ?? 'Dashboard'} · Oncehook`
    if (!isFirst.current) {
      scrollTo(0, 0)
      main.current?.querySelector('h1')?.focus()
    }
    isFirst.current = false
  }, [place])
}

function skipTo(event: Event, main: HTMLElement | null): void {
  event.preventDefault()
  main?.focus()
}

function Brand() {
  return (
    <a class="brand" href={linkTo([])}>
      <img src="./icon.svg" alt="" />
      Oncehook
    </a>
  )
}

type Entry = { readonly path: string; readonly name: string; readonly icon: IconName; readonly count?: number }

function Side({
  route,
  isOpen,
  showHelp,
}: {
  readonly route: Route
  readonly isOpen: boolean
  readonly showHelp: () => void
}) {
  const { session, logOut } = useApp()
  const { features } = session
  const isAdmin = useMay('admin')
  const overview = useResource<Overview>('overview', { refreshSeconds: 30 })
  useLiveRefresh(
    ({ kind, outcome, endsAs }) => kind === 'handler' && (outcome === 'dead' || endsAs !== undefined),
    overview.reload,
  )
  const failed = overview.value?.queue.failed ?? 0
  const alerts = overview.value?.alerts ?? 0
  const groups: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
    {
      title: 'Events',
      entries: [
        { path: '', name: 'Overview', icon: 'overview' },
        { path: 'events', name: 'Events', icon: 'list' },
        { path: 'dead-letters', name: 'Dead letters', icon: 'dead', count: failed },
        { path: 'messages', name: 'Outbox', icon: 'outbox' },
        { path: 'sources', name: 'Sources', icon: 'source' },
      ],
    },
    {
      title: 'Tools',
      entries: [
        ...(features.captures ? [{ path: 'captures', name: 'Captures', icon: 'capture' } as const] : []),
        ...(features.datastore ? [{ path: 'datastore', name: 'Datastore', icon: 'data' } as const] : []),
        ...(features.automations ? [{ path: 'automations', name: 'Automations', icon: 'automation' } as const] : []),
      ],
    },
    {
      title: 'Operation',
      entries: [
        { path: 'alerts', name: 'Alerts', icon: 'bell', count: alerts },
        ...(isAdmin ? [{ path: 'audit', name: 'Audit log', icon: 'audit' } as const] : []),
      ],
    },
  ]
  return (
    <aside class="side" id="side" aria-label="Menu" data-open={isOpen ? 'yes' : 'no'}>
      <Brand />
      <nav class="nav stack" aria-label="Pages">
        {groups
          .filter(({ entries }) => entries.length > 0)
          .map(({ title, entries }) => (
            <div key={title}>
              <p class="nav-title">{title}</p>
              <ul>
                {entries.map((entry) => (
                  <li key={entry.path}>
                    <NavLink entry={entry} isCurrent={sectionOf(route) === entry.path} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
      </nav>
      <div class="side-foot">
        <LiveMark />
        <div class="row">
          <span>
            {session.name ?? 'local'} · {session.role}
          </span>
          {session.isLoginRequired && <Button icon="out" look="plain" size="tiny" name="Log out" onClick={logOut} />}
        </div>
        <div class="row">
          <span title="Environment">{session.environment}</span>
          <span>v{session.version}</span>
        </div>
        <div class="row">
          <Button look="plain" size="tiny" onClick={showHelp}>
            Keys <kbd>?</kbd>
          </Button>
          <ThemeSwitch />
        </div>
      </div>
    </aside>
  )
}

/** Pages of one thing belong to the list of all. */
const sections: Readonly<Record<string, string>> = { receipts: 'events', compare: 'events', replays: 'captures' }

function sectionOf({ path: [first = ''] }: Route): string {
  return sections[first] ?? first
}

function NavLink({ entry, isCurrent }: { readonly entry: Entry; readonly isCurrent: boolean }) {
  const { path, name, icon, count = 0 } = entry
  return (
    <a href={linkTo(path === '' ? [] : [path])} {...(isCurrent ? { 'aria-current': 'page' } : {})}>
      <Icon name={icon} />
      {name}
      {count > 0 && <span class="count">{count > 999 ? '999+' : count}</span>}
    </a>
  )
}

const liveTexts = { open: 'Live', connecting: 'Connecting', lost: 'No connection' } as const

function LiveMark() {
  const state = useLiveState()
  return (
    <span class="live-mark" data-state={state} role="status">
      {liveTexts[state]}
    </span>
  )
}

function LostBanner() {
  const state = useLiveState()
  if (state !== 'lost') return null
  return (
    <div class="banner" role="status">
      The connection to the gateway is lost. What you see may be old; it is tried again by itself.
    </div>
  )
}

function ThemeSwitch() {
  const [dark, setDark] = useState(isDark())
  useEffect(() => {
    const look = (): void => setDark(isDark())
    const media = matchMedia('(prefers-color-scheme: dark)')
    media.addEventListener('change', look)
    document.addEventListener('oncehook-theme', look)
    return () => {
      media.removeEventListener('change', look)
      document.removeEventListener('oncehook-theme', look)
    }
  }, [])
  return (
    <Button
      icon={dark ? 'sun' : 'moon'}
      look="plain"
      name={dark ? 'Light colours' : 'Dark colours'}
      onClick={() => applyTheme(dark ? 'light' : 'dark')}
    />
  )
}
