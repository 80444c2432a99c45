import type { ProviderDeclaration } from './provider-declaration.ts'

/** How Svix delivers, for its own customers and for the providers that send through it. */
export const svixDelivery: Pick<
  ProviderDeclaration,
  'idField' | 'isIdSigned' | 'retryHours' | 'retrySchedule' | 'sending' | 'deadlineSeconds'
> = {
  idField: 'the header svix-id',
  isIdSigned: true,
  retryHours: 27.59,
  retrySchedule:
    'at once, then after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, each after the failure before it; every attempt is signed anew',
  sending: {
    pausesSeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000],
    stopHeader: { name: 'webhook-delivery', value: 'abort-message' },
    leftOut: ['An endpoint that fails for five days is switched off.'],
  },
  deadlineSeconds: 15,
}
