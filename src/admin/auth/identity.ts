/** Who may do what: each may do what those before it may. */
export const roles = ['viewer', 'operator', 'admin'] as const

/** `viewer` looks, `operator` replays and changes what is worked with, `admin` also sees the audit log and sets code. */
export type Role = (typeof roles)[number]

/** Somebody who may call, as the audit log shows them. */
export type Identity = { readonly name: string; readonly role: Role }

export function isRole(value: unknown): value is Role {
  return (roles as readonly unknown[]).includes(value)
}

export function mayAct(role: Role, least: Role | 'anyone'): boolean {
  return least === 'anyone' || roles.indexOf(role) >= roles.indexOf(least)
}
