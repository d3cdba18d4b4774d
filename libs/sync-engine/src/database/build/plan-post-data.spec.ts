import type { EntrySql } from '@understudy/postgres';
import type { KeyDefinition } from '../../stage/foreign-keys/key-definition.js';
import { planPostData } from './plan-post-data.js';

/** Returns an entry whose SQL is its type and its id. */
function entry(id: string, type: string, needs: readonly string[] = [], sql = `${type} ${id}`): EntrySql {
  return { id, line: '', type: `${type} public x`, address: `1259 ${id}`, needs, sql };
}

const KEY = { oid: '20', name: 'k' } as KeyDefinition;

const plan = (entries: readonly EntrySql[]) =>
  planPostData({
    entries,
    relationOf: (address) => (address === '1259 9' ? undefined : { relation: 'r', tableIndex: 0 }),
    keys: new Map([['1259 20', KEY]]),
    refreshes: ['refresh'],
    analyses: new Map([[0, 'analyze']]),
  });

describe('planPostData', () => {
  it('builds the indexes of a table before its keys, and analyzes it last', () => {
    const key = entry('2', 'CONSTRAINT', ['50'], 'ALTER TABLE ONLY t ADD PRIMARY KEY (a)');
    expect(plan([key, entry('1', 'INDEX', ['50'])]).builds).toEqual([
      { n: 1, tableIndex: 0, building: 'INDEX 1', attaching: key.sql },
      { n: 2, tableIndex: 0, building: 'analyze', attaching: '' },
    ]);
  });

  it('runs row security, its policies and comments on them after the materialized views', () => {
    const entries = [
      entry('1', 'POLICY'),
      entry('2', 'COMMENT', ['1']),
      entry('3', 'FK CONSTRAINT'),
      entry('4', 'ROW SECURITY'),
      entry('5', 'TRIGGER'),
      entry('6', 'EVENT TRIGGER'),
    ];
    expect(plan(entries).steps.map(({ sql }) => sql)).toEqual([
      ...['FK CONSTRAINT 3', 'TRIGGER 5', 'refresh'],
      ...['POLICY 1', 'COMMENT 2', 'ROW SECURITY 4', 'EVENT TRIGGER 6'],
    ]);
  });

  it('makes a step of an index that needs another entry, or that belongs to no table', () => {
    const entries = [
      entry('1', 'INDEX'),
      entry('2', 'INDEX ATTACH', ['1']),
      entry('3', 'INDEX', ['2']),
      entry('9', 'INDEX'),
    ];
    const { builds, steps } = plan(entries);
    expect(builds.map(({ building }) => building)).toEqual(['INDEX 1', 'analyze']);
    expect(steps.map(({ sql }) => sql)).toEqual(['INDEX ATTACH 2', 'INDEX 3', 'INDEX 9', 'refresh']);
  });

  it('creates a foreign key early only if the index that it needs is built early', () => {
    const needed = [entry('1', 'INDEX'), entry('9', 'INDEX')];
    const key = (need: string) => plan([...needed, entry('20', 'FK CONSTRAINT', [need])]);
    expect([key('1').keys, key('9').keys, key('50').keys]).toEqual([[KEY], [], [KEY]]);
    expect(key('9').steps.map(({ sql }) => sql)).toEqual(['INDEX 9', 'FK CONSTRAINT 20', 'refresh']);
  });
});
