/** Where no process lives long enough for `inbox.start()`: a cron job sends what is in the outbox. */
export async function GET(request: Request): Promise<Response> {
  if (request.headers.get('authorization') !== `Bearer ${process.env.CRON_SECRET}`) {
    return new Response(null, { status: 401 })
  }
  const { inbox } = await import('../../../lib/inbox')
  return Response.json(await inbox.drain())
}
