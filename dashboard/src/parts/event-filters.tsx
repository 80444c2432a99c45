import type { RefObject } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { useResource } from '../api/hooks.ts'
import type { Source } from '../api/types.ts'
import type { Query, Route } from '../logic/route.ts'
import { Button, Choice, TextField } from '../ui/basics.tsx'

type EventFiltersProps = {
  readonly route: Route
  readonly searchRef: RefObject<HTMLInputElement | null>
  readonly onChange: (changes: Query) => void
}

const statuses: readonly (readonly [string, string])[] = [
  ['', 'Any status'],
  ['received,processing,retrying', 'Not done yet'],
  ['processed', 'Processed'],
  ['retrying', 'Retrying'],
  ['failed', 'Failed'],
  ['ignored', 'Ignored'],
  ['stale,same_change', 'Passed over'],
]

const spans: readonly (readonly [string, string])[] = [
  ['', 'Any time'],
  ['1', 'Last hour'],
  ['24', 'Last day'],
  ['168', 'Last week'],
]

/** What is looked for. It is part of the address, so that it can be sent to somebody. */
export function EventFilters({ route, searchRef, onChange }: EventFiltersProps) {
  const { query } = route
  const sources = useResource<{ readonly items: readonly Source[] }>('sources')
  const names = (sources.value?.items ?? []).map(({ name }) => [name, name] as const)
  const chosen = query.get('source') ?? ''
  const known = chosen === '' || names.some(([name]) => name === chosen) ? names : [[chosen, chosen] as const, ...names]
  const after = query.get('after')
  const objectId = query.get('objectId')
  return (
    <search class="filters">
      <SearchField value={query.get('q') ?? ''} inputRef={searchRef} onSearch={(q) => onChange({ q })} />
      <Choice
        label="Source"
        value={chosen}
        choices={[['', 'Any source'], ...known]}
        onChoice={(source) => onChange({ source })}
      />
      <LateField label="Type" value={query.get('type') ?? ''} onText={(type) => onChange({ type })} />
      <Choice
        label="Status"
        value={query.get('status') ?? ''}
        choices={statuses}
        onChoice={(status) => onChange({ status })}
      />
      <Choice
        label="Received"
        value={after === undefined ? '' : nearestSpan(after)}
        choices={spans}
        onChoice={(hours) => onChange({ after: hours === '' ? undefined : hoursAgo(Number(hours)) })}
      />
      {objectId !== undefined && (
        <Button icon="close" onClick={() => onChange({ objectId: undefined })}>
          Object {objectId.slice(0, 40)}
        </Button>
      )}
    </search>
  )
}

function hoursAgo(hours: number): string {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000 - hours * 3_600_000).toISOString()
}

function nearestSpan(after: string): string {
  const hours = (Date.now() - Date.parse(after)) / 3_600_000
  return spans.find(([span]) => span !== '' && hours <= Number(span) + 0.2)?.[0] ?? '168'
}

type SearchFieldProps = {
  readonly value: string
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onSearch: (text: string) => void
}

function SearchField({ value, inputRef, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const id = useId()
  useEffect(() => setText(value), [value])
  return (
    <form
      class="field search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
      }}
    >
      <label for={id}>Search</label>
      <input
        id={id}
        ref={inputRef}
        class="input"
        type="search"
        value={text}
        maxLength={512}
        placeholder="Receipt, event, object or delivery id, or type"
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={() => onSearch(text.trim())}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </form>
  )
}

type LateFieldProps = { readonly label: string; readonly value: string; readonly onText: (text: string) => void }

/** Tells of a text when it is finished: each letter would be a search. */
function LateField({ label, value, onText }: LateFieldProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <TextField
      label={label}
      value={text}
      onText={setText}
      placeholder="Any type"
      maxLength={512}
      onChange={() => onText(text.trim())}
      onKeyDown={(event) => event.key === 'Enter' && onText(text.trim())}
    />
  )
}
