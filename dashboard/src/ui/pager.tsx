import type { Paged } from '../api/hooks.ts'
import { Button } from './basics.tsx'

/** Older and newer: there are no page numbers, because nobody counts a ledger of millions. */
export function Pager<Item>({ paged }: { readonly paged: Paged<Item> }) {
  const { older, newer, toFirst, isLoading } = paged
  if (older === undefined && newer === undefined) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      {newer !== undefined && (
        <Button look="plain" onClick={toFirst}>
          Newest
        </Button>
      )}
      <Button disabled={newer === undefined || isLoading} {...(newer === undefined ? {} : { onClick: newer })}>
        Newer
      </Button>
      <Button disabled={older === undefined || isLoading} {...(older === undefined ? {} : { onClick: older })}>
        Older
      </Button>
    </nav>
  )
}
