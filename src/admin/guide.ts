/** The guided first event: what a newcomer can try, without a second terminal and without an account anywhere. */
export type Guide = {
  readonly state: () => Promise<GuideState>
  /** Sends a signed sample to this gateway, over HTTP as anybody else. */
  readonly send: (sample: SampleToSend) => Promise<SentSample>
  /** Lets the demo's handler fail, or work again. */
  readonly setHandler: (state: { readonly isBroken: boolean }) => Promise<void>
}

/** How far somebody has come with the guided tour. */
export type GuideState = {
  readonly isHandlerBroken: boolean
  readonly source: string
  readonly type: string
  /** The sample that was sent last, and what became of it. */
  readonly last: { readonly eventId: string; readonly deliveries: number; readonly effects: number } | undefined
}

/** What the guided tour sends. */
export type SampleToSend = {
  readonly copies: number
  /** All at the same moment, or one after the other. */
  readonly isParallel: boolean
  /** Signed with a wrong secret. */
  readonly isForged: boolean
  /** Send the event of the last time again in place of a new one. */
  readonly isRepeat: boolean
}

/** What was sent, and how it was answered. */
export type SentSample = { readonly eventId: string; readonly statuses: readonly number[] }
