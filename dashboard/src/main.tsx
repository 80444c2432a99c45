import { render } from 'preact'
import { App } from './app.tsx'
import { applyTheme, storedTheme } from './ui/theme.ts'

applyTheme(storedTheme())
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
