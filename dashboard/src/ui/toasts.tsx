import { useEffect, useState } from 'preact/hooks'

type Toast = { readonly id: number; readonly text: string }

let count = 0
let show: (text: string) => void = () => {}

/** Says in passing what was done. */
export function tell(text: string): void {
  show(text)
}

const secondsShown = 5

/** Where it is said. Once in the app. */
export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  useEffect(() => {
    show = (text) => {
      count += 1
      const toast = { id: count, text }
      setToasts((before) => [...before.slice(-2), toast])
      setTimeout(() => setToasts((before) => before.filter((one) => one !== toast)), secondsShown * 1_000)
    }
    return () => void (show = () => {})
  }, [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text }) => (
        <div class="toast" key={id}>
          {text}
        </div>
      ))}
    </div>
  )
}
