import { z } from 'zod'

const eventAbout = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ data: z.object({ object: z.object(shape) }) }).transform(({ data }) => data.object)

/** The parts that are used here. What does not fit becomes a dead letter at once, because no attempt would help. */
export const aboutInvoice = eventAbout({
  id: z.string(),
  customer: z.string(),
  customer_email: z.string().nullish(),
  status: z.string(),
  amount_paid: z.number(),
})

export const aboutSubscription = eventAbout({ id: z.string(), status: z.string() })
