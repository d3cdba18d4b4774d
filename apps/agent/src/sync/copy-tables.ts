import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import type { Session } from '../postgres/session.js';
import { copyTable } from './copy-table.js';
import type { FailureContexts } from './failure-contexts.js';
import type { ProgressMeter } from './progress-meter.js';
import type { ChunkWriter } from './staging/chunk-writer.js';
import type { LedgerChunk } from './staging/staging-ledger.js';
import type { TablePlan } from './table-plan.js';

export interface CopyTablesRequest {
  readonly plans: readonly TablePlan[];
  /** By table index. */
  readonly masks: readonly ReadonlyMap<string, CellMask>[];
  readonly job: JobKeyMaterial;
  readonly source: Session;
  readonly target: Session;
  readonly writer: ChunkWriter;
  readonly done: readonly LedgerChunk[];
  readonly meter: ProgressMeter;
  readonly contexts: FailureContexts;
  readonly signal: AbortSignal;
}

/** Copies every table as one chunk, but for those that are done. @returns all chunks of the ledger */
export async function copyTables(request: CopyTablesRequest): Promise<readonly LedgerChunk[]> {
  const { meter, contexts, source, target } = request;
  const chunks = [...request.done];
  for (const { tableIndex, rows } of chunks) meter.completed(tableIndex, rows);
  for (const plan of request.plans) {
    const { index } = plan;
    if (request.done.some(({ tableIndex }) => tableIndex === index)) continue;
    request.signal.throwIfAborted();
    const chunk = { tableIndex: index, number: 0 };
    const { rows, truncated = [] } = await request.writer.write(target.client, chunk, async (into) => {
      const copied = await copyTable({
        plan,
        masks: request.masks[index] ?? new Map(),
        job: request.job,
        source: source.client,
        target: target.client,
        into,
        contextOf: (side) => contexts.on(side, index),
        onRows: (count) => {
          meter.copying(index, count);
        },
      });
      return { ...copied, checksum: 0n };
    });
    meter.completed(index, rows);
    chunks.push({ ...chunk, rows, truncated });
  }
  return chunks;
}
