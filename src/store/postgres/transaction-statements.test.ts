import { describe, expect, test } from 'vitest'
import { findTransactionStatement } from './transaction-statements.ts'

describe('a text that begins or ends a transaction', () => {
  test.each([
    ['commit', 'commit'],
    ['  COMMIT WORK;', 'commit'],
    ['rollback', 'rollback'],
    ['rollback and chain', 'rollback'],
    ['ROLLBACK TRANSACTION', 'rollback'],
    ['begin', 'begin'],
    ['start transaction isolation level serializable', 'start transaction'],
    ['end', 'end'],
    ['abort', 'abort'],
    ["prepare transaction 'x'", 'prepare transaction'],
    ['insert into t values (1); commit; select 1', 'commit'],
    ['/* a comment */ -- another\n commit', 'commit'],
    ['/* outer /* inner */ commit */ rollback', 'rollback'],
    ["select 'it''s'; commit", 'commit'],
    [String.raw`select e'it\'s'; commit`, 'commit'],
    ['select $tag$ ; begin $tag$; commit', 'commit'],
    ["select 'unknown\\'; commit", 'commit'],
    [String.raw`select e'\\'; commit`, 'commit'],
    ['select $A$ $a$ ; end $A$; commit', 'commit'],
  ])('is recognised: %s', (text, statement) => {
    expect(findTransactionStatement(text)).toBe(statement)
  })
})

describe('a text that only mentions it', () => {
  test.each([
    'savepoint a',
    'rollback to a',
    'rollback to savepoint a',
    'rollback work to a',
    'ROLLBACK TRANSACTION TO SAVEPOINT a',
    'release savepoint a',
    'prepare plan as select 1',
    "insert into log (text) values ('; commit;')",
    'select "commit" from t',
    'select 1 -- ; commit',
    'select 1 /* ; commit */',
    'select $$ ; commit; $$',
    'select $body$ ; commit; $body$',
    'do $$ begin perform 1; end $$',
    String.raw`select e'\'; commit'`,
    'select case when true then 1 end',
    'update commits set begin = 1',
    'create function f() returns int begin atomic select 1; end',
    'select $1; select $2',
  ])('is not: %s', (text) => {
    expect(findTransactionStatement(text)).toBeUndefined()
  })
})

test('a literal of many megabytes is passed over at once', () => {
  expect(findTransactionStatement(`select '${"x''".repeat(3_000_000)}'; commit`)).toBe('commit')
  expect(findTransactionStatement(`select '${"x''".repeat(3_000_000)}; commit`)).toBe(undefined)
})
