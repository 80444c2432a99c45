import { useRef } from 'preact/hooks'

export type TabsProps<Name extends string> = {
  readonly label: string
  readonly names: readonly (readonly [Name, string])[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

/** Arrow keys move, as people who use them expect. */
export function Tabs<Name extends string>({ label, names, chosen, onChoose }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const index = (names.findIndex(([name]) => name === chosen) + step + names.length) % names.length
    const next = names[index]
    if (next === undefined) return
    onChoose(next[0])
    list.current?.querySelectorAll('button')[index]?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {names.map(([name, text]) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
