import { useEffect, useRef } from 'preact/hooks'
import { type ActName, shortcutOf } from '../logic/shortcuts.ts'
import { goTo } from './use-route.ts'

export type Acts = Partial<Readonly<Record<ActName, () => void>>>

/** What the keys of the page in front do. Those of the app itself are known to all. */
export function useShortcuts(acts: Acts): void {
  const latest = useRef(acts)
  latest.current = acts
  useEffect(() => {
    let isAfterG = false
    const listen = (event: KeyboardEvent): void => {
      const shortcut = shortcutOf({ ...contextOf(event), key: event.key, isAfterG })
      isAfterG = shortcut.kind === 'begun'
      if (shortcut.kind === 'go' && latest.current.help !== undefined) goTo(shortcut.path === '' ? [] : [shortcut.path])
      const act = shortcut.kind === 'act' ? latest.current[shortcut.name] : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function contextOf(event: KeyboardEvent) {
  const target = event.target instanceof Element ? event.target : undefined
  return {
    isModified: event.ctrlKey || event.altKey || event.metaKey,
    isTyping: target?.closest('input:not([type=checkbox]), textarea, select, dialog') != null,
    isOnControl: target?.closest('a, button, summary, input') != null,
  }
}
