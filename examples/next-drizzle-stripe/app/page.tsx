import { database } from '../lib/database'
import { accounts } from '../lib/schema'

export const dynamic = 'force-dynamic'

export default async function Page() {
  const all = await database.select().from(accounts)
  return (
    <ul>
      {all.map(({ customer, isUnlocked }) => (
        <li key={customer}>
          {customer} is {isUnlocked ? 'unlocked' : 'locked'}
        </li>
      ))}
    </ul>
  )
}
