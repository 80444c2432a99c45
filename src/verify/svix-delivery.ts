import type { ProviderDeclaration } from './provider-declaration.ts'

/** How Svix delivers, for its own customers and for the providers that send through it. */
export const svixDelivery: Pick<
  ProviderDeclaration,
  'idField' | 'isIdSigned' | 'retryHours' | 'retrySchedule' | 'deadlineSeconds'
> = {
  idField: 'the header svix-id',
  isIdSigned: true,
  retryHours: 27.59,
  retrySchedule:
    'at once, then after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours, each after the failure before it; every attempt is signed anew',
  deadlineSeconds: 15,
}
