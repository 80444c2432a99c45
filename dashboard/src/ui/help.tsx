import { acts, places } from '../logic/shortcuts.ts'
import { Dialog } from './dialog.tsx'

/** All keys, in one place. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="grid">
        <div class="stack tight">
          <h3>In lists</h3>
          {acts.map(([key, name, meaning]) => (
            <div class="row" key={name}>
              <kbd>{key}</kbd>
              <span>{meaning}</span>
            </div>
          ))}
        </div>
        <div class="stack tight">
          <h3>Go to</h3>
          {places.map(([key, path, name]) => (
            <div class="row" key={path}>
              <kbd>g</kbd>
              <kbd>{key}</kbd>
              <span>{name}</span>
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  )
}
