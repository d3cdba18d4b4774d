import type { Client } from '@understudy/postgres';
import type { DatabaseSide } from '@understudy/sync-job';
import { FailureContexts } from '../../session/failure-contexts.js';
import { located } from '../../session/located-client.js';
import type { TablePlan } from '../../plan/table-plan.js';
import { predictDangling } from './predict-dangling.js';

const PARENT = { index: 1, name: { schema: 'public', table: 'parents' }, columns: ['id'] };

/** A foreign key of an unlisted table of the target, whose parent is listed. */
const KEY = {
  ...{
    name: 'key',
    is_validated: true,
    children: [],
    parents: ['2'],
    columns: ['parent_id'],
    parent_columns: ['id'],
  },
  ...{ child_is_listed: false, child_schema: 'public', child_table: 'children', child_leaves: null },
  ...{ parent_is_listed: true, parent_schema: 'public', parent_table: 'parents', parent_leaves: null },
  ...{ types: ['int4'], parent_types: ['int4'] },
};

const PLAN = {
  ...{ index: PARENT.index, name: PARENT.name, columnIndex: new Map() },
  source: { oid: '1', name: PARENT.name, isPartitioned: false },
  target: { oid: '2' },
  columns: [{ description: { name: 'id' }, fill: { kind: 'preserve' } }],
} as unknown as TablePlan;

/** Returns a client on which the queries that match fail as on a connection that breaks. */
function clientOf(side: DatabaseSide, breaking: RegExp) {
  const query = (given: string | { readonly text: string }): Promise<unknown> => {
    const text = typeof given === 'string' ? given : given.text;
    if (breaking.test(text)) return Promise.reject(new Error('Connection terminated unexpectedly'));
    if (text.startsWith('FETCH')) return Promise.resolve({ rows: [['7']] });
    return Promise.resolve({ rows: side === 'target' && text.includes('child_is_listed') ? [KEY] : [] });
  };
  const contexts = new FailureContexts({ tables: [] });
  return located({ query } as unknown as Client, contexts.on(side));
}

describe('predictDangling', () => {
  it.each([
    ['source', 'looks up references', { source: /ROWS FROM/, target: /^$/ }],
    ['target', 'reads references', { source: /^$/, target: /^FETCH/ }],
  ] as const)('reports the %s and the table if it breaks while it %s', async (side, _, breaking) => {
    const sides = {
      source: clientOf('source', breaking.source),
      target: clientOf('target', breaking.target),
    };
    await expect(predictDangling([PLAN], sides)).rejects.toMatchObject({
      failure: { code: 'connection_lost', side, tableIndex: PARENT.index },
    });
  });
});
