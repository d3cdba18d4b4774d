import type { CellMask } from '@understudy/masking';
import { guard } from '../../postgres/guard.js';
import { quoteTable } from '../../postgres/quote.js';
import type { DatabaseSide, FailureContext } from '../../postgres/server-failure.js';
import type { Client } from '../../postgres/session.js';
import type { TableName } from '../../postgres/table-name.js';
import type { TablePlan } from '../table-plan.js';
import { COLUMN_TYPES } from './column-types.sql.js';
import { type ColumnType, digestExpressions } from './digest-expression.js';
import { type DigestTask, digestRows, type RowDigest, rowsOf } from './digest-rows.js';
import type { VerificationCheck } from './verification.js';

export interface RowsToVerify {
  readonly plans: readonly TablePlan[];
  /** Where a table's new rows are. */
  readonly stagedAs: (plan: TablePlan) => TableName;
  /** What of the source is copied, where it is not the whole table: as it stands after FROM. */
  readonly sourceRows?: (plan: TablePlan) => string | undefined;
  /** Rows of committed chunks, by table index. */
  readonly copied: ReadonlyMap<number, number>;
  /** By table index. */
  readonly masks: readonly ReadonlyMap<string, CellMask>[];
  readonly contextOf: (side: DatabaseSide, tableIndex?: number) => FailureContext;
  /** Told of each table when its rows are verified. */
  readonly onVerified?: (tableIndex: number) => void;
}

/** Rows that were read on the source, to be compared when those of the target are there. */
export interface SourceDigests {
  readonly plan: DigestPlan;
  readonly digests: ReadonlyMap<number, RowDigest>;
}

interface DigestPlan {
  readonly source: readonly DigestTask[];
  readonly target: readonly DigestTask[];
}

/**
 * Reads the source's rows. May run while indexes are built on the target: it needs no rows of it.
 * @param sources in the snapshot, at least one
 * @param target reads its catalog
 */
export async function digestSource(
  request: RowsToVerify,
  sources: readonly Client[],
  target: Client,
): Promise<SourceDigests> {
  const [source] = sources;
  if (source === undefined) throw new Error('no connection to the source');
  const plan = await planDigests(request, source, target);
  const digests = await digestRows(sources, plan.source, (index) => request.contextOf('source', index));
  return { plan, digests };
}

/** Reads the target's rows and compares. @param targets at least one */
export async function verifyRows(
  request: RowsToVerify,
  { plan, digests: source }: SourceDigests,
  targets: readonly Client[],
): Promise<readonly VerificationCheck[]> {
  const { plans, copied, masks, contextOf, onVerified } = request;
  const target = await digestRows(targets, plan.target, (index) => contextOf('target', index), onVerified);
  return plans.flatMap((table) => {
    const { index: tableIndex } = table;
    const [there, here] = [source.get(tableIndex), target.get(tableIndex)];
    const rows = {
      source: there?.rows ?? 0,
      copied: copied.get(tableIndex) ?? 0,
      target: here?.rows ?? 0,
    };
    const kept = columnsOf(table, 'preserve').length;
    const nulled = columnsOf(table, 'null').length;
    const differing = [...(masks[tableIndex]?.values() ?? [])].filter(
      (mask) => 'differs' in mask && mask.differs,
    );
    const checks: VerificationCheck[] = [
      {
        kind: 'row_count',
        tableIndex,
        ok: rows.source === rows.copied && rows.copied === rows.target,
        rows,
      },
    ];
    const look = (
      kind: 'preserved_columns' | 'nulled_columns' | 'masked_columns',
      lookedAt: number,
      ok: boolean,
    ) => {
      if (lookedAt > 0) checks.push({ kind, tableIndex, ok, lookedAt });
    };
    look('preserved_columns', kept, there?.digest === here?.digest);
    look('nulled_columns', nulled, here?.isNulled === true);
    // Looked at cell by cell while the rows passed: one that kept its value has failed the job.
    look('masked_columns', differing.length, true);
    return checks;
  });
}

async function planDigests(
  { plans, stagedAs, sourceRows, contextOf }: RowsToVerify,
  source: Client,
  target: Client,
): Promise<DigestPlan> {
  const ofSource = await guard(contextOf('source'), () =>
    columnTypes(
      source,
      plans.map(({ name }) => name),
    ),
  );
  const ofTarget = await guard(contextOf('target'), () => columnTypes(target, plans.map(stagedAs)));
  const largestFirst = [...plans.entries()].sort(
    ([, a], [, b]) => b.source.estimatedRows - a.source.estimatedRows,
  );
  const tasks = largestFirst.map(([position, plan]) => {
    const columns = columnsOf(plan, 'preserve').flatMap((name) => {
      const [from, to] = [ofSource[position]?.get(name), ofTarget[position]?.get(name)];
      return from === undefined || to === undefined ? [] : [{ name, source: from, target: to }];
    });
    const digest = columns.length === 0 ? undefined : digestExpressions(columns);
    const {
      index: tableIndex,
      source: { isPartitioned },
    } = plan;
    const isTargetPartitioned = plan.target === undefined && isPartitioned;
    return {
      source: {
        tableIndex,
        from: sourceRows?.(plan) ?? rowsOf(plan.name, isPartitioned),
        digest: digest?.source,
        nulled: [],
      },
      target: {
        tableIndex,
        from: rowsOf(stagedAs(plan), isTargetPartitioned),
        digest: digest?.target,
        nulled: columnsOf(plan, 'null'),
      },
    };
  });
  return { source: tasks.map((task) => task.source), target: tasks.map((task) => task.target) };
}

function columnsOf({ columns }: TablePlan, kind: 'preserve' | 'null'): readonly string[] {
  return columns.filter(({ fill }) => fill.kind === kind).map(({ description }) => description.name);
}

/** By the tables' places. */
async function columnTypes(
  client: Client,
  tables: readonly TableName[],
): Promise<readonly ReadonlyMap<string, ColumnType>[]> {
  const { rows } = await client.query<ColumnType & { position: number; column: string }>(COLUMN_TYPES, [
    tables.map(quoteTable),
  ]);
  const found = tables.map(() => new Map<string, ColumnType>());
  for (const { position, column, ...type } of rows) found[position - 1]?.set(column, type);
  return found;
}
