export type Receipt = { readonly to: string; readonly invoice: string; readonly amount: number }

type Delivery = { readonly idempotencyKey: string; readonly signal: AbortSignal }

/** Run by the relay, after the commit. It may be called again with the same key, on which the mail service dedupes. */
export async function sendReceipt(receipt: Receipt, { idempotencyKey, signal }: Delivery): Promise<void> {
  const key = process.env.RESEND_API_KEY
  if (!key) return console.log('would send', receipt)
  const response = await fetch('https://api.resend.com/emails', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({
      from: 'billing@example.com',
      to: receipt.to,
      subject: `Your receipt for ${receipt.invoice}`,
      text: `We received ${(receipt.amount / 100).toFixed(2)}. Thank you!`,
    }),
    signal,
  })
  if (!response.ok) throw new Error(`The mail service answered ${response.status}`)
}
