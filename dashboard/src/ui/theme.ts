/** `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark'

const name = 'oncehook.theme'

export function storedTheme(): Theme {
  const stored = read()
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Shows it, and remembers it in this browser. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(name)
    else localStorage.setItem(name, theme)
  } catch {
    // A browser that keeps nothing shows it all the same.
  }
  document.dispatchEvent(new Event('oncehook-theme'))
}

export function isDark(): boolean {
  const theme = storedTheme()
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

function read(): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
