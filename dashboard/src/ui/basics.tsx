import type { ComponentChildren, InputHTMLAttributes, JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { formatAgo, formatTime, words } from '../logic/format.ts'
import { printable } from '../logic/printable.ts'
import { classOfHttp, classOfStatus, type StatusClass } from '../logic/status-class.ts'
import { Icon, type IconName } from './icons.tsx'
import { tell } from './toasts.tsx'

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'icon'> & {
  readonly icon?: IconName
  readonly look?: 'main-action' | 'plain' | 'danger'
  readonly size?: 'tiny'
  /** Only the icon is seen; this is read out, and shown when pointed at. */
  readonly name?: string
  readonly children?: ComponentChildren
}

export function Button({ icon, look, size, name, children, ...rest }: ButtonProps) {
  const classes = ['button', look, size, name !== undefined && 'square'].filter(Boolean).join(' ')
  const label = name === undefined ? {} : { 'aria-label': name, title: name }
  return (
    <button type="button" class={classes} {...label} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A text of a stranger, on one line and as text. */
export function Foreign({ text }: { readonly text: string }) {
  return <bdi>{printable(text)}</bdi>
}

/** An id that can be taken along. */
export function Ident({ text, label }: { readonly text: string; readonly label: string }) {
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => tell(`${label} copied.`),
      () => tell('The browser did not allow copying.'),
    )
  }
  return (
    <span class="ident">
      <code>
        <Foreign text={text} />
      </code>
      <Button icon="copy" look="plain" size="tiny" name={`Copy ${label.toLowerCase()}`} onClick={copy} />
    </span>
  )
}

export function Badge({ kind, children }: { readonly kind: StatusClass; readonly children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>
}

export function StatusBadge({ status }: { readonly status: string }) {
  return <Badge kind={classOfStatus(status)}>{words(status)}</Badge>
}

export function HttpBadge({ status }: { readonly status: number }) {
  return <span class={`badge square ${classOfHttp(status)}`}>{status === 0 ? 'no answer' : status}</span>
}

/** The time now, so that "2 min ago" stays true. */
function useNow(seconds: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), seconds * 1_000)
    return () => clearInterval(timer)
  }, [seconds])
  return now
}

export function Time({ at }: { readonly at: string }) {
  const now = useNow(10)
  return (
    <time dateTime={at} title={formatTime(at)} class="nowrap">
      {formatAgo(at, now)}
    </time>
  )
}

type FieldProps = {
  readonly label: string
  readonly hint?: string
  readonly children: (id: string) => ComponentChildren
}

/** A label that belongs to its input. */
function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      {hint !== undefined && <p class="small muted">{hint}</p>}
    </div>
  )
}

type InputOption =
  | 'autoFocus'
  | 'inputMode'
  | 'max'
  | 'maxLength'
  | 'min'
  | 'onChange'
  | 'onKeyDown'
  | 'pattern'
  | 'placeholder'
  | 'required'

type TextFieldProps = Pick<InputHTMLAttributes, InputOption> & {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly type?: 'text' | 'search' | 'password' | 'number' | 'url'
  readonly onText: (text: string) => void
}

export function TextField({ label, hint, value, type = 'text', onText, ...rest }: TextFieldProps) {
  // The types of elements tell kinds of inputs apart by this, and cannot follow a variable.
  const kind = type as 'text'
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id) => (
        <input
          id={id}
          class="input"
          type={kind}
          value={value}
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => onText(event.currentTarget.value)}
          {...rest}
        />
      )}
    </Field>
  )
}

type AreaProps = Omit<JSX.IntrinsicElements['textarea'], 'value'> &
  Pick<TextFieldProps, 'label' | 'hint' | 'value' | 'onText'>

export function TextArea({ label, hint, value, onText, ...rest }: AreaProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id) => (
        <textarea
          id={id}
          class="input code"
          value={value}
          spellcheck={false}
          onInput={(event) => onText(event.currentTarget.value)}
          {...rest}
        />
      )}
    </Field>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, text: string])[]
  readonly onChoice: (value: string) => void
}

export function Choice({ label, value, choices, onChoice }: ChoiceProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} class="input" value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
          {choices.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type CheckProps = { readonly label: string; readonly isOn: boolean; readonly onTurn: (isOn: boolean) => void }

export function Check({ label, isOn, onTurn }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onTurn(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}

export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type CardProps = {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly isFlush?: boolean
  readonly children: ComponentChildren
}

/** A part of a page with a heading. */
export function Card({ title, actions, isFlush = false, children }: CardProps) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {isFlush ? children : <div class="inner">{children}</div>}
    </section>
  )
}
