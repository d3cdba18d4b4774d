import fc from 'fast-check';
import {
  describeTable,
  disconnect,
  quoteIdentifier,
  quoteTable,
  openSession,
  type Session,
  parseConnectionUrl,
} from '@understudy/postgres';
import { located } from '../../../src/session/located-client.js';
import { planSubset } from '../../../src/plan/subset/plan-subset.js';
import { RowSet, RowSetTooLargeError } from '../../../src/plan/subset/row-set.js';
import type { TablePlan } from '../../../src/plan/table-plan.js';
import { SyncHarness } from '../sync-harness.js';
import { expectedRows } from './expected-rows.js';
import { createSql, randomDatabase, type RandomDatabase } from './random-database.js';

/** Returns the rows of each table that are not lost, without those that reference a row which is not kept. */
function keptRows(
  { tables, links }: RandomDatabase,
  lost: readonly ReadonlySet<number>[],
): readonly ReadonlySet<number>[] {
  const kept = tables.map(({ rows }, i) => new Set([...rows.keys()].filter((row) => !lost[i]?.has(row))));
  const dropOrphans = ({ child, parent, targets }: RandomDatabase['links'][number]) =>
    targets.filter(
      (target, row) => target !== null && !kept[parent]?.has(target) && kept[child]?.delete(row) === true,
    ).length;
  let dropped = 1;
  while (dropped > 0) dropped = links.map(dropOrphans).reduce((sum, count) => sum + count, 0);
  return kept;
}

describe('planSubset', () => {
  let harness: SyncHarness;
  let session: Session;
  let schemas = 0;

  beforeAll(async () => {
    harness = await SyncHarness.start();
    const database = await harness.database();
    session = await openSession(parseConnectionUrl(database.url), 'source');
  });
  afterAll(async () => {
    await disconnect(session.client);
    await harness.stop();
  });

  /** Creates the given database, and calls `work` with the plans of its tables in a transaction with one snapshot. */
  async function planned<T>(
    database: RandomDatabase,
    batchRows: number,
    work: (plans: readonly TablePlan[]) => Promise<T>,
    lost?: readonly (ReadonlySet<number> | undefined)[],
  ): Promise<T> {
    const schema = `s${++schemas}`;
    const { client } = session;
    await client.query(createSql(schema, database));
    const deletes = database.tables.map(
      ({ name }, i) =>
        `DELETE FROM ${schema}.${quoteIdentifier(name)} WHERE r = ANY ('{${[...(lost?.[i] ?? [])].join()}}')`,
    );
    const replica = 'SET LOCAL session_replication_role = replica';
    await client.query(`BEGIN; ${[replica, ...deletes].join('; ')}; COMMIT`);
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const tables = database.tables.map(({ name, subset }) => ({
        name: `${schema}.${quoteIdentifier(name)}`,
        columns: [],
        ...(subset === undefined
          ? {}
          : {
              subset: {
                ...(subset.below === undefined ? {} : { where: `v < ${subset.below}` }),
                ...(subset.limit === undefined ? {} : { limit: subset.limit }),
              },
            }),
      }));
      const orphans = lost === undefined ? 'fail' : 'skip';
      const command = { ...harness.command('', '', {}), tables, orphans } as const;
      const plans: TablePlan[] = [];
      for (const [index, { name }] of database.tables.entries()) {
        const source = await describeTable(client, { schema, table: name });
        if (source === undefined) throw new Error('the table does not exist');
        plans.push({
          index,
          name: source.name,
          source,
          target: undefined,
          columns: [],
          columnIndex: new Map(),
        });
      }
      const { policy } = harness.environment();
      const source = located(client, { side: 'source' });
      const { signal } = new AbortController();
      return await work(
        await planSubset({ command, plans, source, target: { client: source }, policy, signal, batchRows }),
      );
    } finally {
      await client.query('ROLLBACK');
      await client.query(`SET client_min_messages = error; DROP SCHEMA ${schema} CASCADE`);
    }
  }

  async function rowsWhere(from: string, condition: string | undefined): Promise<number[]> {
    const where = condition === undefined ? '' : `WHERE ${condition}`;
    const { rows } = await session.client.query<{ r: number }>(`SELECT r FROM ${from} ${where} ORDER BY r`);
    return rows.map(({ r }) => r);
  }

  const batches = fc.constantFrom(1, 2, 20_000);

  it('selects the requested rows, the rows that they reference, and rows without a reference to an omitted row', async () => {
    await fc.assert(
      fc.asyncProperty(randomDatabase, batches, async (database, batchRows) => {
        const expected = expectedRows(database);
        await planned(database, batchRows, async (plans) => {
          for (const { index, name, rowFilter, source } of plans) {
            const relationOid = source.isPartitioned ? undefined : source.oid;
            const whole = { relationOid, fromPage: undefined, toPage: undefined };
            expect([name.table, await rowsWhere(quoteTable(name), rowFilter?.conditionFor(whole))]).toEqual([
              name.table,
              expected[index],
            ]);
            expect(rowFilter?.count ?? expected[index]?.length).toBe(expected[index]?.length);
          }
        });
        for (const { child, parent, targets } of database.links) {
          for (const row of expected[child] ?? []) {
            const target = targets[row] ?? null;
            if (target !== null) expect(expected[parent]).toContain(target);
          }
        }
      }),
      { numRuns: 80 },
    );
  });

  it('leaves out the rows that reference a lost row, and those that reference them, and no others', async () => {
    const losses = fc.array(fc.uniqueArray(fc.nat(11), { maxLength: 3 }), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        randomDatabase,
        losses,
        batches,
        fc.boolean(),
        async (given, some, batchRows, isWhole) => {
          const tables = given.tables.map((one) => (isWhole ? { ...one, subset: undefined } : one));
          const database = { ...given, tables };
          const lost = tables.map((_, i) => new Set(some[i]));
          const kept = keptRows(database, lost);
          await planned(
            database,
            batchRows,
            async (plans) => {
              const found: number[][] = [];
              for (const { name, rowFilter, source } of plans) {
                const relationOid = source.isPartitioned ? undefined : source.oid;
                const whole = { relationOid, fromPage: undefined, toPage: undefined };
                found.push(await rowsWhere(quoteTable(name), rowFilter?.conditionFor(whole)));
              }
              if (isWhole) expect(found).toEqual(kept.map((rows) => [...rows]));
              for (const [i, rows] of found.entries()) for (const row of rows) expect(kept[i]).toContain(row);
              for (const { child, parent, targets } of database.links)
                for (const row of found[child] ?? []) {
                  const target = targets[row] ?? null;
                  if (target !== null) expect(found[parent]).toContain(target);
                }
            },
            lost,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('selects the same rows for every division of the tables into chunks', async () => {
    const pages = fc.array(fc.nat(4), { maxLength: 3 }).map((cuts) => cuts.sort((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(randomDatabase, pages, batches, async (database, cuts, batchRows) => {
        const expected = expectedRows(database);
        await planned(database, batchRows, async (plans) => {
          for (const { index, rowFilter, source } of plans) {
            const { rows: leaves } = await session.client.query<{ oid: string; name: string }>(
              `SELECT c.oid::text AS oid, c.oid::regclass::text AS name FROM pg_class c
                WHERE c.oid = $1 AND relkind = 'r' OR c.oid IN (SELECT relid FROM pg_partition_tree($1::oid::regclass) WHERE isleaf)`,
              [source.oid],
            );
            const found: number[] = [];
            for (const { oid, name } of leaves) {
              const bounds = [undefined, ...cuts, undefined];
              for (const [i, fromPage] of bounds.slice(0, -1).entries()) {
                const toPage = bounds[i + 1];
                const filter = rowFilter?.conditionFor({ relationOid: oid, fromPage, toPage });
                const conditions = [
                  ...(fromPage === undefined ? [] : [`ctid >= '(${fromPage},0)'`]),
                  ...(toPage === undefined ? [] : [`ctid < '(${toPage},0)'`]),
                  ...(filter === undefined ? [] : [`(${filter})`]),
                ];
                found.push(...(await rowsWhere(name, conditions.join(' AND ') || undefined)));
              }
            }
            expect(found.sort((a, b) => a - b)).toEqual(expected[index]);
          }
        });
      }),
      { numRuns: 40 },
    );
  });

  it('reports a subset whose row locations do not fit into memory', async () => {
    const add = jest.spyOn(RowSet.prototype, 'add').mockImplementation(() => {
      throw new RowSetTooLargeError();
    });
    const table = {
      name: 't',
      keyColumns: 1,
      isPartitioned: false,
      rows: [{ v: 1 }],
      subset: { limit: 1 },
    } as const;
    try {
      await expect(planned({ tables: [table], links: [] }, 1, () => Promise.resolve())).rejects.toMatchObject(
        {
          failure: { code: 'subset_too_large', side: 'source' },
        },
      );
    } finally {
      add.mockRestore();
    }
  });
});
