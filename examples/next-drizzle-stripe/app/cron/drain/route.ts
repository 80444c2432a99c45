import { inbox } from '../../../lib/inbox'

/** Where no process lives long enough for `inbox.start()`: a cron job sends what is in the outbox. */
export async function GET(request: Request): Promise<Response> {
  if (request.headers.get('authorization') !== `Bearer ${process.env.CRON_SECRET}`) {
    return new Response(null, { status: 401 })
  }
  return Response.json(await inbox.drain())
}
