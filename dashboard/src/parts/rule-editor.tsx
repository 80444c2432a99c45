import { useEffect, useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction, useMay, useResource } from '../api/hooks.ts'
import type { Rule, RuleInUse } from '../api/tool-types.ts'
import { many } from '../logic/format.ts'
import { describeRule, emptyRule, formOfRule, type RuleForm, ruleOfForm } from '../logic/rule-form.ts'
import { Button, Foreign } from '../ui/basics.tsx'
import { Await, Empty, Problem } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'
import { RuleFields } from './rule-fields.tsx'

type Answer = { readonly rules: readonly RuleInUse[] }

/** What people come for: to see what a sender does then. */
const examples: readonly (readonly [string, RuleForm])[] = [
  ['Fail three times', { ...emptyRule, name: 'fail first', first: '3', status: '500', body: 'try again' }],
  ['Answer slowly', { ...emptyRule, name: 'slow', delaySeconds: '10' }],
  ['Never answer', { ...emptyRule, name: 'hang', reaction: 'hang' }],
  ['Drop the connection', { ...emptyRule, name: 'drop', reaction: 'drop' }],
  ['Answer a challenge', { ...emptyRule, name: 'challenge', json: 'challenge: (exists)', body: '{{json.challenge}}' }],
]

/** How an endpoint answers: the first rule that fits. */
export function RuleEditor({ endpoint }: { readonly endpoint: string }) {
  const path = apiPath(['capture-endpoints', endpoint, 'rules'])
  const stored = useResource<Answer>(path)
  const [forms, setForms] = useState<readonly RuleForm[] | undefined>(undefined)
  const [open, setOpen] = useState<number | undefined>(undefined)
  const action = useAction()
  const mayEdit = useMay('operator')
  useEffect(() => {
    if (stored.value !== undefined) setForms(stored.value.rules.map(formOfRule))
  }, [stored.value])

  const change = (place: number, form: RuleForm): void => setForms((before) => before?.with(place, form))
  const add = (form: RuleForm): void => {
    setOpen(forms?.length ?? 0)
    setForms((before) => [...(before ?? []), form])
  }
  const remove = (place: number): void => {
    setOpen(undefined)
    setForms((before) => before?.filter((_, index) => index !== place))
  }
  const move = (place: number, step: number): void => {
    setOpen(undefined)
    setForms((before) => moved(before ?? [], place, step))
  }
  const save = (): void =>
    void action.run<Answer>({
      method: 'PUT',
      path,
      body: { rules: (forms ?? []).map(ruleOfForm) },
      onDone: () => {
        tell('The rules are saved. They hold from the next request on.')
        setOpen(undefined)
        stored.reload()
      },
    })
  const isChanged =
    JSON.stringify(forms?.map(ruleOfForm)) !==
    JSON.stringify(stored.value?.rules.map((rule) => ruleOfForm(formOfRule(rule))))
  return (
    <Await resource={stored}>
      {({ rules }) => (
        <div class="stack">
          <p class="muted">The first rule that fits answers. Without one, every request gets 200.</p>
          <ol class="stack tight">
            {(forms ?? []).map((form, place) => (
              <RuleItem
                key={place}
                place={place}
                count={forms?.length ?? 0}
                form={form}
                stored={rules[place]}
                isOpen={open === place}
                mayEdit={mayEdit}
                onOpen={() => setOpen(open === place ? undefined : place)}
                onChange={(changed) => change(place, changed)}
                onRemove={() => remove(place)}
                onMove={(step) => move(place, step)}
              />
            ))}
          </ol>
          {forms?.length === 0 && (
            <div class="card">
              <Empty title="No rules: every request gets 200" />
            </div>
          )}
          {mayEdit && (
            <>
              <div class="row wrap">
                <Button icon="plus" onClick={() => add(emptyRule)}>
                  Add a rule
                </Button>
                <span class="muted small">or begin with</span>
                {examples.map(([name, form]) => (
                  <Button key={name} look="plain" onClick={() => add(form)}>
                    {name}
                  </Button>
                ))}
              </div>
              <Problem failure={action.failure} />
              <div class="row">
                <Button look="main-action" disabled={!isChanged || action.isRunning} onClick={save}>
                  Save the rules
                </Button>
                {isChanged && (
                  <Button look="plain" onClick={() => setForms(rules.map(formOfRule))}>
                    Undo
                  </Button>
                )}
              </div>
            </>
          )}
        </div>
      )}
    </Await>
  )
}

type RuleItemProps = {
  readonly place: number
  readonly count: number
  readonly form: RuleForm
  readonly stored: RuleInUse | undefined
  readonly isOpen: boolean
  readonly mayEdit: boolean
  readonly onOpen: () => void
  readonly onChange: (form: RuleForm) => void
  readonly onRemove: () => void
  readonly onMove: (step: number) => void
}

function RuleItem(props: RuleItemProps) {
  const { place, count, form, stored, isOpen, mayEdit, onOpen, onChange, onRemove, onMove } = props
  const rule: Rule = ruleOfForm(form)
  const name = form.name === '' ? `rule ${place + 1}` : form.name
  return (
    <li class="card">
      <div class="row rule-head">
        <button type="button" class="rule-title" aria-expanded={isOpen} onClick={onOpen}>
          <strong>
            <Foreign text={name} />
          </strong>
          <span class="muted small">
            <Foreign text={describeRule(rule)} />
          </span>
        </button>
        {stored?.answered !== undefined && stored.name === form.name && (
          <span class="small muted nowrap">answered {many(stored.answered, 'request')}</span>
        )}
        {mayEdit && (
          <>
            <Button
              icon="up"
              look="plain"
              size="tiny"
              name={`Move ${name} up`}
              disabled={place === 0}
              onClick={() => onMove(-1)}
            />
            <Button
              icon="down"
              look="plain"
              size="tiny"
              name={`Move ${name} down`}
              disabled={place === count - 1}
              onClick={() => onMove(1)}
            />
            <Button icon="trash" look="plain" size="tiny" name={`Remove ${name}`} onClick={onRemove} />
          </>
        )}
      </div>
      {isOpen && (
        <fieldset class="inner stack plain-fieldset" disabled={!mayEdit}>
          <legend class="hidden-text">{name}</legend>
          <RuleFields form={form} onChange={onChange} />
        </fieldset>
      )}
    </li>
  )
}

function moved(forms: readonly RuleForm[], place: number, step: number): readonly RuleForm[] {
  const form = forms[place]
  const others = forms.filter((_, index) => index !== place)
  return form === undefined ? forms : others.toSpliced(place + step, 0, form)
}
