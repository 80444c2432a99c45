/** A likely cause, with what to do about it. */
export type Cause = {
  readonly name: CauseName
  readonly title: string
  /** Why it breaks, in a sentence. */
  readonly why: string
  /** What to do, in a sentence. */
  readonly cure: string
  /** Where more is said about it. */
  readonly link: string
}

/** The mistakes that are told apart. */
export type CauseName =
  | 'no-deduplication'
  | 'select-then-insert'
  | 'separate-transactions'
  | 'claim-then-process'
  | 'delete-on-failure'
  | 'acknowledged-before-durable'
  | 'recorded-after-answer'
  | 'cancelled-with-request'
  | 'memory-of-one-process'
  | 'retention-too-short'
  | 'dedup-on-body-hash'
  | 'swallows-new-events'
  | 'one-change-twice'
  | 'last-writer-wins'
  | 'swallows-unready-events'
  | 'duplicates-refused'
  | 'not-verified'
  | 'missing-signature-accepted'
  | 'no-timestamp-check'
  | 'body-not-covered'
  | 'parsed-body-verified'
  | 'effect-before-verification'
  | 'fails-on-bad-input'
  | 'too-slow'
  | 'does-not-recover'

/** The names are the anchors of the chapter "Causes and cures" in docs/prover.md. */
const texts: Readonly<Record<CauseName, readonly [title: string, why: string, cure: string]>> = {
  'no-deduplication': [
    'No deduplication',
    'Every delivery does the work: the id of the event is not remembered, or the table that remembers it has no unique key.',
    'Insert the event’s id into a table with a unique key, in the transaction of the work, and do the work only if the row was new.',
  ],
  'select-then-insert': [
    'Select, then insert',
    'The handler first looks whether it knows the event and writes it down later: copies that come at once all find nothing.',
    'Drop the select: let one insert with “on conflict do nothing” decide, in the transaction of the work.',
  ],
  'separate-transactions': [
    'Separate transactions',
    'The work is committed before the event is written down, so a crash in between makes the redelivery do it again.',
    'Put the insert of the event’s id and the work into one transaction.',
  ],
  'claim-then-process': [
    'Claim, then process',
    'The event is marked as seen before its work is durable, so a crash or failure in between loses it: the redelivery counts as a copy.',
    'Put the claim and the work into one transaction, so that a crash takes back both.',
  ],
  'delete-on-failure': [
    'Delete on failure',
    'The mark is deleted when the work fails: a copy that came in between was acknowledged, and a killed process deletes nothing.',
    'Put the claim and the work into one transaction: a roll-back is a deletion that cannot be forgotten.',
  ],
  'acknowledged-before-durable': [
    'Acknowledged before durable',
    'The answer is sent while the work is only in memory: whatever ends the process loses it, and nobody sends it again.',
    'Answer after the commit: of the work, or of a row in a queue that a worker reads.',
  ],
  'recorded-after-answer': [
    'Recorded after the answer',
    'The event is written down only after the answer has gone out, so a sender that hangs up makes the redelivery do the work again.',
    'Write the event down in the transaction of the work, before the answer.',
  ],
  'cancelled-with-request': [
    'Cancelled with the request',
    'The work is broken off when the sender hangs up, after the event was marked as seen.',
    'Do not tie the work to the connection, and keep the claim in its transaction.',
  ],
  'memory-of-one-process': [
    'Memory of one process',
    'Seen events are remembered in the memory of the process alone: a restart, or a second process, knows nothing of them.',
    'Remember events in the database that holds the work.',
  ],
  'retention-too-short': [
    'Retention too short',
    'Seen events are forgotten sooner than providers send them again.',
    'Keep ids at least twice as long as the provider sends again, resends by hand included.',
  ],
  'dedup-on-body-hash': [
    'Dedup on the hash of the body',
    'Events are told apart by their bytes, and a redelivery may have other ones.',
    'Use the provider’s id as the key.',
  ],
  'swallows-new-events': [
    'Swallows new events',
    'The key of the deduplication is too broad: different events count as copies of each other.',
    'Use the provider’s id as the key, and nothing broader.',
  ],
  'one-change-twice': [
    'One change, two events',
    'Two events with two ids tell of the same change, and each is added up.',
    'Key the effect by what it is about (object and type), or set a state instead of adding to it.',
  ],
  'last-writer-wins': [
    'Last writer wins',
    'Whatever arrives last overwrites the state, also when it is older.',
    'Overwrite only what is older: compare a version or time in the update itself.',
  ],
  'swallows-unready-events': [
    'Swallows events that come too early',
    'An event that cannot be processed yet is acknowledged and forgotten.',
    'Answer 5xx so that it is sent again, or keep it in a durable queue and retry.',
  ],
  'duplicates-refused': [
    'Duplicates refused',
    'A copy is answered with an error, so the provider sends it again and again, and may switch the endpoint off.',
    'Answer 200 to what is already done.',
  ],
  'not-verified': [
    'Signature not verified',
    'Anybody who knows the address can send events.',
    'Verify the signature over the raw bytes, with the endpoint’s secret, before anything else.',
  ],
  'missing-signature-accepted': [
    'Missing signature accepted',
    'The signature is verified if there is one: whoever leaves it out is believed.',
    'Refuse what has no signature.',
  ],
  'no-timestamp-check': [
    'No timestamp check',
    'The age of the signature is not looked at, so a recorded request can be sent again at any time.',
    'Refuse signatures whose time is further away than the provider’s tolerance.',
  ],
  'body-not-covered': [
    'Body not covered',
    'The signature is checked against something else than the bytes that came.',
    'Compute the signature over the exact bytes that came, and compare all of it.',
  ],
  'parsed-body-verified': [
    'Parsed body verified',
    'The body is parsed and written again before it is verified, so that spaces, order and escapes get lost.',
    'Verify the raw bytes, before any parser has touched them.',
  ],
  'effect-before-verification': [
    'Effect before verification',
    'The work is done, or the event written down, before the signature has been checked.',
    'Verify first; before that, write nothing and start nothing.',
  ],
  'fails-on-bad-input': [
    'Fails on bad input',
    'What no handler can read ends in an exception, a 5xx or silence, and is sent again for days.',
    'Answer 400 to what cannot be read, and check the shape before using it.',
  ],
  'too-slow': [
    'Too slow',
    'The work before the answer takes longer than the provider waits, so it sends the event again.',
    'Store the event, answer, and do slow work in a worker.',
  ],
  'does-not-recover': [
    'Does not recover',
    'After the scenario the endpoint no longer takes events.',
    'Look at what the server printed, and make every start the same.',
  ],
}

export const causeNames: readonly CauseName[] = Object.keys(texts) as CauseName[]

/** The cause of that name. */
export function causeNamed(name: CauseName): Cause {
  const [title, why, cure] = texts[name]
  return { name, title, why, cure, link: `docs/prover.md#${name}` }
}
