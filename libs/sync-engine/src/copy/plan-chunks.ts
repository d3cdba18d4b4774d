import type { Client } from '@understudy/postgres';
import type { TablePlan } from '../plan/table-plan.js';
import { type MeasuredRelation, measureRelations, type RelationKind } from '../plan/measure-relations.js';
import type { TableName } from '@understudy/sync-job';

export interface ChunkSize {
  /** About how much of a table, on disk, is one chunk. */
  readonly chunkBytes: number;
}

/** Measures the plans' relations and cuts them. @param needsOrder tables that must be one chunk */
export async function planChunks(
  client: Client,
  plans: readonly TablePlan[],
  {
    chunkBytes,
    needsOrder,
  }: ChunkSize & { readonly needsOrder?: (plan: Pick<TablePlan, 'index'>) => boolean },
): Promise<readonly Chunk[]> {
  return cutIntoChunks(await measureRelations(client, plans, needsOrder), { chunkBytes });
}

/**
 * Pure: the same measures give the same chunks, with the same numbers, so an attempt that keeps the measures of the one before it
 * knows which chunks are done. Each relation gives at least one. A range of pages has no end when it is a relation's
 * last. Tables with more bytes come first: what takes longest must not begin last.
 */
export function cutIntoChunks(
  relations: readonly MeasuredRelation[],
  { chunkBytes }: ChunkSize,
): readonly Chunk[] {
  const tableBytes = new Map<number, number>();
  for (const { tableIndex, bytes } of relations) {
    tableBytes.set(tableIndex, (tableBytes.get(tableIndex) ?? 0) + bytes);
  }
  const numbers = new Map<number, number>();
  const chunks = relations.flatMap((relation) => {
    const { tableIndex } = relation;
    const atLeast = (tableBytes.get(tableIndex) ?? 0) / MAX_CHUNKS_OF_A_TABLE;
    const first = numbers.get(tableIndex) ?? 0;
    const cut = cutRelation(relation, Math.max(chunkBytes, atLeast), first);
    numbers.set(tableIndex, first + cut.length);
    return cut;
  });
  const size = ({ tableIndex }: Chunk) => tableBytes.get(tableIndex) ?? 0;
  return chunks.sort((a, b) => size(b) - size(a) || a.tableIndex - b.tableIndex || a.number - b.number);
}

function cutRelation(relation: MeasuredRelation, chunkBytes: number, firstNumber: number): Chunk[] {
  const { tableIndex, name, oid, reads, pages, bytes } = relation;
  const parts = Math.max(1, Math.min(pages, Math.ceil(bytes / chunkBytes)));
  const pagesOfOne = Math.max(1, Math.ceil(pages / parts));
  const count = Math.max(1, Math.ceil(pages / pagesOfOne));
  return Array.from({ length: count }, (_, i) => ({
    tableIndex,
    number: firstNumber + i,
    relation: name,
    relationOid: oid,
    reads,
    fromPage: i === 0 ? undefined : i * pagesOfOne,
    toPage: i === count - 1 ? undefined : (i + 1) * pagesOfOne,
    bytes: Math.round(bytes / count),
  }));
}

/** A plan is held in memory and in the ledger. */
const MAX_CHUNKS_OF_A_TABLE = 10_000;

/** A part of a table that is read at a stretch and is done or not done as a whole. Plain data, for the ledger. */
export interface Chunk {
  /** Into the command's tables. */
  readonly tableIndex: number;
  /** 0, 1, 2 … within the table. */
  readonly number: number;
  /** What its rows are read from: the table, or one of its leaf partitions. */
  readonly relation: TableName;
  readonly relationOid: string;
  readonly reads: RelationKind;
  /** The first page that belongs to it; undefined: from the start. */
  readonly fromPage: number | undefined;
  /** The first page that does not; undefined: to the end, however much has been added since. */
  readonly toPage: number | undefined;
  /** On disk, as a measure of the work. */
  readonly bytes: number;
}
