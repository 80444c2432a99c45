/** A log whose ids grow with its times, and which rows of it count. */
export type Log = { readonly table: string; readonly time: string; readonly condition?: string }

/**
 * Two recursive queries, `<name>_steps` and `<name>`, that find the first id of a log from a time on, by halving the range of ids:
 * some 30 look-ups in the index of ids, however long the log is and without an index of its times.
 * Times of different processes may be out of order by a little, so whoever uses it asks for a little earlier.
 */
export function firstIdSinceSql(name: string, { table, time, condition = 'true' }: Log, since: string): string {
  return `
  ${name}_steps (low, high) as (
    select coalesce((select id from ${table} where ${condition} order by id limit 1), 1),
      coalesce((select id from ${table} where ${condition} order by id desc limit 1), 0) + 1
    union all
    select case when probe.is_before then probe.id + 1 else steps.low end,
      case when probe.is_before then steps.high else (steps.low + steps.high) / 2 end
    from ${name}_steps as steps
    cross join lateral (
      select id, ${time} < ${since} as is_before from ${table}
      where ${condition} and id >= (steps.low + steps.high) / 2
      order by id
      limit 1
    ) as probe
    where steps.low < steps.high
  ), ${name} as (select max(low) as first_id from ${name}_steps)`
}
