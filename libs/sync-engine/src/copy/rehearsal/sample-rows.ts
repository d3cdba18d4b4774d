import type { CellMask, JobKeyMaterial } from '@understudy/masking';
import { type Client, copyOut, copyOutMessages, startCopyIn } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import { readChunkSql, writeRowsSql } from '../chunk-sql.js';
import { copyFormat } from '../copy-format.js';
import { copyLayout } from '../copy-layout.js';
import { maskStream } from '../mask-stream.js';
import { MaskingReceiver, type WritePiece } from '../row-receiver.js';
import { measureRelations } from '../../plan/measure-relations.js';
import type { TablePlan } from '../../plan/table-plan.js';

/** The number of pages, and for a partitioned table the number of leaf partitions, that a sample is read from. */
const MAX_PAGES = 4;
const MAX_RELATIONS = 4;

/** A few masked rows of a table, as the job would send them to the target. */
export interface RowSample {
  /** True if rows of the table exist but could not be read in a short time. */
  readonly isPartial: boolean;
  /** Writes the rows into a table that has the written columns. */
  writeTo(target: Client, into: TableName): Promise<void>;
}

/**
 * Reads and masks a sample of a table's rows.
 * @param source a client in the job's snapshot. It cannot be used again after an error.
 */
export async function sampleRows(
  source: Client,
  plan: TablePlan,
  masks: ReadonlyMap<string, CellMask>,
  job: JobKeyMaterial,
): Promise<RowSample> {
  const layout = copyLayout(plan, masks);
  const format = copyFormat(plan, masks, layout, false);
  const relations = await measureRelations(source, [plan]);
  const readable = relations.filter(({ reads, pages }) => reads === 'table' && pages > 0);
  const parts: Uint8Array[] = [];
  for (const { name, oid, ...relation } of readable.slice(0, MAX_RELATIONS)) {
    const chunk = {
      ...relation,
      number: 0,
      relation: name,
      relationOid: oid,
      fromPage: undefined,
      toPage: MAX_PAGES,
    };
    const filter = plan.rowFilter?.conditionFor({ relationOid: oid, fromPage: undefined, toPage: MAX_PAGES });
    const pieces: Uint8Array[] = [];
    const write: WritePiece = (piece, _, onSent) => {
      pieces.push(Uint8Array.from(piece));
      onSent?.();
      return undefined;
    };
    const sql = readChunkSql(layout, chunk, filter, format);
    const mask = maskStream(plan, job, layout, format);
    if (mask === undefined) await copyOut(source, sql, (piece) => write(piece, 0));
    else {
      const receiver = new MaskingReceiver(mask, write);
      await copyOutMessages(source, sql, receiver);
      await receiver.finish();
    }
    parts.push(Buffer.concat(pieces));
  }
  return {
    isPartial: relations.some(({ reads, pages, bytes }) => reads !== 'table' || (pages === 0 && bytes > 0)),
    async writeTo(target, into) {
      for (const part of parts) {
        const copy = await startCopyIn(target, writeRowsSql(layout, into, format));
        await copy.write(part);
        await copy.finish();
      }
    },
  };
}
