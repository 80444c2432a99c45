import { userInfo } from 'node:os'

/** In a container the user may have a number and no name. */
export function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
