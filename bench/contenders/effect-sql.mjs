/** The one-row effect, the same for all who take effect. */
export const effectSql = 'insert into effects (event_id, amount) values ($1, $2)'
