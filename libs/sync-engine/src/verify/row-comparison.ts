import type { JobMasks } from '../plan/compile-masks.js';
import type { LocatedClient, LocatedSession } from '../session/located-client.js';
import { releasingLocks } from '@understudy/postgres';
import type { DatabaseSide, TableName, VerificationCheck } from '@understudy/sync-job';
import type { TablePlan } from '../plan/table-plan.js';
import { runTasks, type SessionTasks } from '../session/job-sessions.js';
import { type DigestedRows, digestRows, type RowDigest, rowsOf } from './digest-rows.js';
import {
  nulledColumns,
  preservedDigest,
  readColumnTypes,
  type TypesOnBothSides,
} from './preserved-digest.js';

export interface RowsToVerify {
  readonly plans: readonly TablePlan[];
  /** Returns the table that contains the new rows: the staged table or the real table. */
  readonly stagedAs: (plan: TablePlan) => TableName;
  /**
   * Returns true if the table that contains the new rows is partitioned. If this function is omitted, a table is
   * treated as partitioned only if it is partitioned and the job creates it. Rows for an existing table are staged in a
   * table that is not partitioned.
   */
  readonly isInParts?: (plan: TablePlan) => boolean;
  /** Returns the FROM item of the source rows to copy; undefined for the whole table. */
  readonly sourceRows?: (plan: TablePlan) => string | undefined;
  readonly masks: JobMasks;
  /** The maximum number of sessions on each side. */
  readonly connections: number;
  /** The tables whose digests the caller gives with {@link RowComparison.take}. */
  readonly given?: ReadonlySet<number>;
}

/** A task that reads one table on one side. */
export interface TableRead {
  readonly tableIndex: number;
  /** Undefined if the caller gives the digest. */
  readonly read: ((client: LocatedClient) => Promise<void>) | undefined;
}

interface ComparedTable extends Readonly<Record<DatabaseSide, DigestedRows>> {
  readonly tableIndex: number;
}

/**
 * Compares the source's rows with the new rows on the target. `plan` reads the column types. Afterwards, `readSource`
 * can run while rows are copied, and the target's tables can be read while their indexes are built.
 */
export class RowComparison {
  private readonly found = { source: new Map<number, RowDigest>(), target: new Map<number, RowDigest>() };

  private constructor(
    private readonly request: RowsToVerify,
    private readonly tables: readonly ComparedTable[],
  ) {}

  static async plan(
    request: RowsToVerify,
    source: LocatedClient,
    target: LocatedClient,
  ): Promise<RowComparison> {
    const { plans, stagedAs } = request;
    const names = plans.map(({ name }) => name);
    const estimates = new Map(plans.map(({ index, source: { estimatedRows } }) => [index, estimatedRows]));
    const ofSource = await readColumnTypes(source, names);
    const ofTarget = await readColumnTypes(target, plans.map(stagedAs));
    const tables = plans.map((plan, i) =>
      comparedTable(plan, request, { source: ofSource[i], target: ofTarget[i] }),
    );
    const size = ({ tableIndex }: ComparedTable) => estimates.get(tableIndex) ?? 0;
    return new RowComparison(
      request,
      tables.sort((a, b) => size(b) - size(a)),
    );
  }

  /**
   * Reads the source's rows.
   * @param open opens a session that uses the job's snapshot of the source
   * @param connections the maximum number of sessions
   */
  async readSource(
    open: () => Promise<LocatedSession>,
    signal: AbortSignal,
    connections = this.request.connections,
  ): Promise<void> {
    await readAll(this.reads('source'), { open, signal, connections });
  }

  async readTarget(open: () => Promise<LocatedSession>, signal: AbortSignal): Promise<void> {
    await readAll(this.reads('target'), { open, signal, connections: this.request.connections });
  }

  /**
   * Returns the tasks that read one side, with the largest table first. A caller can run them together with other tasks
   * instead of calling `readSource` or `readTarget`.
   */
  reads(side: DatabaseSide): readonly TableRead[] {
    return this.tables.map((table) => {
      const { tableIndex } = table;
      const read = async (client: LocatedClient) => {
        this.take(side, tableIndex, await digestRows(client.at(tableIndex), table[side]));
      };
      return { tableIndex, read: this.request.given?.has(tableIndex) === true ? undefined : read };
    });
  }

  /** Takes the digest of a table from another reading of its rows. */
  take(side: DatabaseSide, tableIndex: number, digest: RowDigest): void {
    this.found[side].set(tableIndex, digest);
  }

  /**
   * Returns the results of the comparison. Call it when both sides have been read.
   * @param copied the number of copied rows of each table, by table index
   */
  checks(copied: ReadonlyMap<number, number>): readonly VerificationCheck[] {
    return this.request.plans.flatMap((plan) => this.checksOf(plan, copied.get(plan.index) ?? 0));
  }

  private checksOf(plan: TablePlan, copied: number): readonly VerificationCheck[] {
    const { index: tableIndex } = plan;
    const [source, target] = [this.found.source.get(tableIndex), this.found.target.get(tableIndex)];
    const rows = { source: source?.rows ?? 0, copied, target: target?.rows ?? 0 };
    const isCounted = rows.source === copied && rows.target === copied;
    const preserved = plan.columns.filter(({ fill }) => fill.kind === 'preserve');
    const masks = [...(this.request.masks.get(tableIndex)?.values() ?? [])];
    const results = [
      ['preserved_columns', preserved.length, source?.digest === target?.digest],
      ['nulled_columns', nulledColumns(plan).length, target?.isNulled === true],
      // Masking has already checked each cell during the copy. A cell with its original value would have
      // failed the job.
      ['masked_columns', masks.filter((mask) => 'differs' in mask && mask.differs).length, true],
    ] as const;
    return [
      { kind: 'row_count', tableIndex, ok: isCounted, rows },
      ...results.flatMap(([kind, lookedAt, ok]) =>
        lookedAt === 0 ? [] : [{ kind, tableIndex, ok, lookedAt }],
      ),
    ];
  }
}

function readAll(
  tasks: readonly TableRead[],
  how: Pick<SessionTasks<TableRead>, 'open' | 'signal' | 'connections'>,
): Promise<void> {
  return runTasks({
    ...how,
    tasks,
    run: (client, { read }) => releasingLocks(client, async () => read?.(client)),
  });
}

function comparedTable(
  plan: TablePlan,
  { stagedAs, isInParts, sourceRows }: RowsToVerify,
  types: TypesOnBothSides,
): ComparedTable {
  const { index: tableIndex, name } = plan;
  const { isPartitioned } = plan.source;
  const digest = preservedDigest(plan, types);
  const isStagedInParts = isInParts?.(plan) ?? (isPartitioned && plan.target === undefined);
  const from = sourceRows?.(plan) ?? rowsOf(name, isPartitioned);
  return {
    tableIndex,
    source: { from, digest, nulled: [] },
    target: {
      from: rowsOf(stagedAs(plan), isStagedInParts),
      digest,
      nulled: nulledColumns(plan),
    },
  };
}
