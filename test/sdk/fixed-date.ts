/** Runs work whose `Date` stands still: libraries that read the clock see this moment. One at a time. */
export async function atMoment<Result>(moment: Date, work: () => Result | Promise<Result>): Promise<Result> {
  const RealDate = globalThis.Date
  const FixedDate = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [moment] : given, newTarget),
    get: (target, name) => (name === 'now' ? () => moment.getTime() : Reflect.get(target, name)),
  })
  globalThis.Date = FixedDate
  try {
    return await work()
  } finally {
    globalThis.Date = RealDate
  }
}
