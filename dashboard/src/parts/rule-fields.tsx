import type { RuleForm } from '../logic/rule-form.ts'
import { Check, Choice, TextArea, TextField } from '../ui/basics.tsx'

type RuleFieldsProps = { readonly form: RuleForm; readonly onChange: (form: RuleForm) => void }

/** One rule: when it fits, and what it does. */
export function RuleFields({ form, onChange }: RuleFieldsProps) {
  const set =
    (name: keyof RuleForm) =>
    (text: string): void =>
      onChange({ ...form, [name]: text })
  return (
    <>
      <TextField label="Name" value={form.name} onText={set('name')} placeholder="by its place" maxLength={100} />
      <h2 class="small">When all of this holds</h2>
      <div class="form-row">
        <TextField label="Method" value={form.method} onText={set('method')} placeholder="any" />
        <TextField label="Path" value={form.path} onText={set('path')} placeholder="any, as /orders/*" />
        <TextField
          label="Only the first"
          value={form.first}
          onText={set('first')}
          inputMode="numeric"
          placeholder="all"
        />
        <TextField label="Only after" value={form.after} onText={set('after')} inputMode="numeric" placeholder="0" />
        <TextField
          label="Probability, 0 to 1"
          value={form.probability}
          onText={set('probability')}
          inputMode="decimal"
          placeholder="1"
        />
      </div>
      <div class="form-row wide">
        <TextArea label="Headers" value={form.headers} onText={set('headers')} rows={2} placeholder="x-test: abc*" />
        <TextArea label="Query" value={form.query} onText={set('query')} rows={2} placeholder="mode: test" />
        <TextArea
          label="JSON body"
          value={form.json}
          onText={set('json')}
          rows={2}
          placeholder="data.object.status: paid"
        />
      </div>
      <p class="small muted">
        One condition a line. <code>*</code> stands for anything, <code>(exists)</code> and <code>(absent)</code> for
        whether there is one.
      </p>
      <h2 class="small">Then</h2>
      <div class="form-row">
        <Choice
          label="Do"
          value={form.reaction}
          choices={[
            ['answer', 'Answer'],
            ['hang', 'Never answer'],
            ['drop', 'Drop the connection'],
          ]}
          onChoice={set('reaction')}
        />
        {form.reaction === 'answer' && (
          <TextField label="Status" value={form.status} onText={set('status')} inputMode="numeric" placeholder="200" />
        )}
        <TextField
          label="After seconds"
          value={form.delaySeconds}
          onText={set('delaySeconds')}
          inputMode="decimal"
          placeholder="0"
        />
      </div>
      {form.reaction === 'answer' && (
        <>
          <div class="form-row wide">
            <TextArea
              label="Answer headers"
              value={form.answerHeaders}
              onText={set('answerHeaders')}
              rows={2}
              placeholder="retry-after: 5"
            />
            <TextArea
              label="Answer body"
              value={form.body}
              onText={set('body')}
              rows={4}
              placeholder="{{json.challenge}} is filled in"
            />
          </div>
          <Check label="The body is JSON" isOn={form.isJson} onTurn={(isJson) => onChange({ ...form, isJson })} />
        </>
      )}
    </>
  )
}
