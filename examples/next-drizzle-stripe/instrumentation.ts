/** Called once when the server starts. The relay then sends what is in the outbox, and what failed is tried again. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const [{ createTables }, { inbox }] = await Promise.all([import('./lib/database'), import('./lib/inbox')])
  await createTables()
  await inbox.start()
}
