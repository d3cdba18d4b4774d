import { builtinLibrary } from '@understudy/builtin-models/node';
import type { CellMask } from '@understudy/masking';
import {
  parseConnectionUrl,
  disconnect,
  describeTable,
  openSession,
  type Session,
  parseTableName,
} from '@understudy/postgres';
import { type Chunk, planChunks } from '../../../src/copy/plan-chunks.js';
import type { ChunksRequest, ChunkWriter } from '../../../src/copy/copy-chunk.js';
import { copyChunks } from '../../../src/copy/copy-chunks.js';
import { compileMasks } from '../../../src/plan/compile-masks.js';
import { planColumns } from '../../../src/plan/plan-columns.js';
import { type HeldSnapshot, holdSnapshot } from '../../../src/source/snapshot-keeper.js';
import { joinSnapshot } from '../../../src/source/join-snapshot.js';
import type { TablePlan } from '../../../src/plan/table-plan.js';

export type Rules = Readonly<Record<string, unknown>>;

const JOB = { maskingKey: new Uint8Array(32).fill(1), seed: 42, referenceInstantMs: Date.UTC(2026, 0, 1) };

/** Copies chunks without a ledger or staging. The rows go directly from one snapshot into tables of the same names. */
export class ChunkCopying {
  private constructor(
    private readonly urls: { readonly source: string; readonly target: string },
    readonly plans: readonly TablePlan[],
    readonly masks: readonly ReadonlyMap<string, CellMask>[],
    private readonly snapshot: HeldSnapshot,
  ) {}

  /** Opens the snapshot and plans the tables. @param tables the masking rules, by table name and column name */
  static async prepare(
    urls: { readonly source: string; readonly target: string },
    tables: Readonly<Record<string, Rules>>,
  ): Promise<ChunkCopying> {
    const names = Object.keys(tables).map((table, index) => ({
      index,
      name: parseTableName(table) ?? { schema: '', table },
    }));
    const source = parseConnectionUrl(urls.source);
    const snapshot = await holdSnapshot({
      source,
      sessionName: 'understudy test',
      tables: names,
      // No test renews the keeper.
      expiresAfterMs: 600_000,
      signal: new AbortController().signal,
    });
    const { client } = await openSession(source, 'source');
    const plans: TablePlan[] = [];
    for (const [index, [table, rules]] of Object.entries(tables).entries()) {
      const name = names[index]?.name ?? { schema: '', table };
      const found = await describeTable(client, name);
      if (found === undefined) throw new Error(`the source has no table ${table}`);
      const columns = Object.entries(rules).map(([column, rule]) => ({ name: column, rule }));
      plans.push({
        index,
        name,
        source: found,
        target: undefined,
        columns: planColumns({
          tableIndex: index,
          rules: { name: table, columns },
          unlisted: 'preserve',
          source: found,
          refusesPreserve: () => false,
          trainingFloor: () => 1,
        }),
        columnIndex: new Map(columns.map((column, i) => [column.name, i])),
      });
    }
    await disconnect(client);
    const builtin = builtinLibrary();
    const options = {
      job: JOB,
      models: () => undefined,
      assets: builtin.assets,
      registry: builtin.registry,
    };
    return new ChunkCopying(
      urls,
      plans,
      plans.map((plan) => compileMasks(plan, options)),
      snapshot,
    );
  }

  async plan(chunkBytes: number): Promise<readonly Chunk[]> {
    const session = await this.openSource();
    try {
      return await planChunks(session.client, this.plans, { chunkBytes });
    } finally {
      await disconnect(session.client);
    }
  }

  copy(chunks: readonly Chunk[], more: Partial<ChunksRequest> = {}): ReturnType<typeof copyChunks> {
    return copyChunks({
      chunks,
      isDone: () => false,
      connections: 2,
      openSource: () => this.openSource(),
      openTarget: () => openSession(parseConnectionUrl(this.urls.target), 'target'),
      writer: this.writer(),
      plans: this.plans,
      masks: new Map(this.masks.entries()),
      material: JOB,
      contexts: { on: (side, tableIndex) => ({ side, tableIndex }) },
      onProgress: () => undefined,
      watchdog: { stallAfterMs: 60_000, nowMs: () => performance.now(), onStandstill: () => undefined },
      signal: new AbortController().signal,
      ...more,
    });
  }

  /**
   * Creates a writer without a ledger.
   * @param onCopied called for each chunk before its commit
   */
  writer(
    onCopied: (chunk: Chunk, copied: { rows: number; bytes: number }) => void = () => undefined,
  ): ChunkWriter {
    return {
      write: async (client, chunk, copy) => {
        await client.query('BEGIN');
        onCopied(chunk, await copy(this.plans[chunk.tableIndex]?.name ?? chunk.relation));
        await client.query('COMMIT');
      },
    };
  }

  async openSource(): Promise<Session> {
    const session = await openSession(parseConnectionUrl(this.urls.source), 'source');
    await joinSnapshot(session.client, this.snapshot.snapshotId);
    return session;
  }

  release(): Promise<void> {
    return this.snapshot.release();
  }
}
