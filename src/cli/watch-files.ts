import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

export type FileWatch = {
  readonly add: (path: string) => void
  readonly close: () => void
}

/** Editors write a file in several steps; whoever looks in between sees half of it. */
const quietMilliseconds = 80

/** Tells when one of the files has changed and then been left alone for a moment. */
export function watchFiles(onChange: () => void): FileWatch {
  // Of folders, as editors put a new file in the place of the old one.
  const watched = new Map<string, { readonly watcher: FSWatcher; readonly names: Set<string> }>()
  let timer: NodeJS.Timeout | undefined

  return {
    add(path) {
      const folder = dirname(path)
      const known = watched.get(folder)
      if (known !== undefined) return void known.names.add(basename(path))
      const names = new Set([basename(path)])
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name !== null && !names.has(name)) return
        clearTimeout(timer)
        timer = setTimeout(onChange, quietMilliseconds)
      })
      // A folder that goes away has nothing more to tell.
      watcher.on('error', () => {})
      watched.set(folder, { watcher, names })
    },
    close() {
      clearTimeout(timer)
      for (const { watcher } of watched.values()) watcher.close()
    },
  }
}
