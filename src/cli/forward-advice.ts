/** What to do about a forwarding that failed, where the error alone does not say it. */
export function forwardAdvice(error: string): string | undefined {
  return advices.find(({ when }) => when.test(error))?.advice
}

const advices: readonly { readonly when: RegExp; readonly advice: string }[] = [
  {
    when: /could not be reached: ECONNREFUSED/,
    advice: 'Nobody listens there: start your app, the event is tried again by itself.',
  },
  {
    when: /could not be reached: (?:ENOTFOUND|EAI_AGAIN)/,
    advice: 'There is no such host: check the address of --forward.',
  },
  {
    when: /did not answer in time/,
    advice: 'Does it answer before it has done its work?',
  },
  {
    when: / answered (?:404|405)\b/,
    advice: 'Check the path of the address: it takes POST requests there?',
  },
  {
    when: / answered (?:400|401|403)\b/,
    advice: 'Does your app verify with the secret of this source? Requests are signed with it.',
  },
]
