import { partitionTree, quoteTable } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import type { JobAttempt } from '../../session/job-attempt.js';
import { requireNone } from '../create/require-unaltered.js';
import type { LocatedClient } from '../../session/located-client.js';
import { readChunkWriters, type StagedTable } from '../ledger/staging-ledger.js';

/** Numbers of rows by what has written them: a transaction, or one command of it as `transaction command`. */
type Written = ReadonlyMap<string, number>;

interface ReadTable {
  readonly plan: TablePlan;
  readonly table: TableName;
  readonly isPartitioned: boolean;
}

/**
 * Recognizes the rows that the job has written by their transaction. Code of the target can replace them by the same
 * number of others: an event trigger, or a function that a CHECK constraint calls. The rows of a chunk have the
 * transaction of their ledger row, and one command. Rows that the switch inserts have the command of its INSERT.
 * Tables that are not stored as heaps do not show this, so only their rows are counted.
 */
export class OwnRows {
  private readonly inserted = new Map<number, Written>();
  private readonly emptied = new Map<TablePlan, string>();

  private constructor(
    private readonly client: LocatedClient,
    private readonly plans: readonly TablePlan[],
    private readonly copied: ReadonlyMap<number, number>,
    private readonly chunks: ReadonlyMap<number, Written>,
  ) {}

  /** @param copied the number of copied rows, by table index */
  static async read(
    client: LocatedClient,
    { jobId }: JobAttempt,
    plans: readonly TablePlan[],
    copied: ReadonlyMap<number, number>,
  ): Promise<OwnRows> {
    return new OwnRows(client, plans, copied, await readChunkWriters(client, jobId));
  }

  /**
   * Checks that staged tables have the rows of their chunks and no others.
   * @throws SyncJobError table_altered
   */
  requireStaged(staged: readonly StagedTable[], client = this.client): Promise<void> {
    const tables = staged.flatMap(({ tableIndex, into: table, kind }) => {
      const plan = this.plans.find(({ index }) => index === tableIndex);
      return plan ? [{ plan, table, isPartitioned: kind === 'moved' && isPartitionedTable(plan) }] : [];
    });
    return this.require(client, tables, this.chunks);
  }

  /** Records that the last command of the transaction has inserted all rows of a table from its staged table. */
  async recordInsert(plan: TablePlan, staged: TableName): Promise<void> {
    const { rows } = await this.client
      .at(plan.index)
      .query<{ writer: string | null; oid: string }>(
        `SELECT (SELECT ${COMMAND} FROM ${from(plan.name, isPartitionedTable(plan))} LIMIT 1) AS writer, $1::pg_catalog.regclass::oid::text AS oid`,
        [quoteTable(staged)],
      );
    const count = this.copied.get(plan.index) ?? 0;
    for (const { writer, oid } of rows) {
      this.inserted.set(plan.index, new Map(writer === null ? [] : [[writer, count]]));
      this.emptied.set(plan, oid);
    }
  }

  /**
   * Checks that all tables have the rows that the job has written and no others.
   * @throws SyncJobError table_altered
   */
  requireSwitched(): Promise<void> {
    const tables = this.plans.map((plan) => ({
      ...{ plan, table: plan.name, isPartitioned: isPartitionedTable(plan) },
    }));
    return this.require(this.client, tables, new Map([...this.chunks, ...this.inserted]));
  }

  /**
   * Checks that the staged tables whose rows the switch has inserted elsewhere have been dropped, under any name.
   * @throws SyncJobError table_altered
   */
  async requireDropped(): Promise<void> {
    const staged = [...this.emptied];
    const { rows } = await this.client.query<{ oid: string }>(
      'SELECT oid::text AS oid FROM pg_catalog.pg_class WHERE oid = ANY ($1::oid[])',
      [staged.map(([, oid]) => oid)],
    );
    const kept = staged.filter(([, oid]) => rows.some((row) => row.oid === oid));
    this.refuse(kept.map(([plan]) => plan));
  }

  private async require(
    client: LocatedClient,
    tables: readonly ReadTable[],
    expected: ReadonlyMap<number, Written>,
  ): Promise<void> {
    const names = tables.map(({ table }) => quoteTable(table));
    const { rows: heaps } = await client.query<{ heap: boolean }>(ARE_HEAPS, [names]);
    const reads = tables.map(({ table, isPartitioned }, n) => {
      const rows = from(table, isPartitioned);
      return heaps[n]?.heap === true
        ? `SELECT ${n} AS n, xmin::text AS writer, ${COMMAND} AS command, pg_catalog.count(*)::float8 AS rows FROM ${rows} GROUP BY xmin, cmin`
        : `SELECT ${n}, NULL, NULL, pg_catalog.count(*)::float8 FROM ${rows}`;
    });
    if (reads.length === 0) return;
    const { rows } = await client.query<WrittenRow>(reads.join(' UNION ALL '));
    const altered = tables.filter(({ plan: { index } }, n) => {
      const own = rows.filter((row) => row.n === n);
      return (
        sum(own.map((row) => row.rows)) !== (this.copied.get(index) ?? 0) || !isOwn(own, expected.get(index))
      );
    });
    this.refuse(altered.map(({ plan }) => plan));
  }

  private refuse(plans: readonly TablePlan[]): void {
    requireNone(
      plans.map(({ name }) => name),
      this.client.context.tableIndexOf,
    );
  }
}

interface WrittenRow {
  n: number;
  writer: string | null;
  command: string | null;
  rows: number;
}

/**
 * Tests whether each writer has written as many rows as expected, with one command. Another command of a chunk's
 * transaction is one of a function that the COPY has called. Ignores rows whose writer is not known.
 */
function isOwn(found: readonly WrittenRow[], expected: Written = new Map()): boolean {
  const written = new Set<string>();
  return found.every(({ writer, command, rows }) => {
    if (writer === null || command === null) return true;
    const key = expected.has(command) ? command : writer;
    const isFirst = !written.has(key);
    written.add(key);
    return isFirst && expected.get(key) === rows;
  });
}

function isPartitionedTable({ source, target }: TablePlan): boolean {
  return (target ?? source).isPartitioned;
}

function from(table: TableName, isPartitioned: boolean): string {
  return `${isPartitioned ? '' : 'ONLY '}${quoteTable(table)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const COMMAND = "xmin::text || ' ' || cmin::text";

/** Selects for each table whether it and all its partitions are stored as heaps. $1: the quoted names of the tables. */
const ARE_HEAPS = `
  SELECT pg_catalog.bool_and(c.relkind = 'p' OR c.relkind = 'r' AND a.amname = 'heap') AS heap
    FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS l (name, n)
   CROSS JOIN LATERAL (SELECT l.name::pg_catalog.regclass::oid UNION SELECT p.relid FROM ${partitionTree('l.name::pg_catalog.regclass')} p) AS t (oid)
    JOIN pg_catalog.pg_class c ON c.oid = t.oid LEFT JOIN pg_catalog.pg_am a ON a.oid = c.relam
   GROUP BY l.n ORDER BY l.n
`;
