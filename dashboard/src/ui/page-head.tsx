import type { ComponentChildren } from 'preact'

export type PageHeadProps = {
  readonly title: ComponentChildren
  readonly lead?: ComponentChildren
  /** Where it belongs. */
  readonly crumb?: { readonly href: string; readonly name: string }
  readonly beside?: ComponentChildren
  readonly children?: ComponentChildren
}

/** The heading of a page, and what can be done with the whole of it. */
export function PageHead({ title, lead, crumb, beside, children }: PageHeadProps) {
  return (
    <div class="page-head">
      {crumb !== undefined && (
        <p class="crumb">
          <a href={crumb.href}>← {crumb.name}</a>
        </p>
      )}
      <h1 tabIndex={-1}>{title}</h1>
      {beside}
      <span class="grow" />
      {children !== undefined && children !== false && <div class="row wrap">{children}</div>}
      {lead !== undefined && <p class="lead">{lead}</p>}
    </div>
  )
}
