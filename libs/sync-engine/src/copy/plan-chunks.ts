import type { Client } from '@understudy/postgres';
import type { TablePlan } from '../plan/table-plan.js';
import { type MeasuredRelation, measureRelations, type RelationKind } from '../plan/measure-relations.js';
import type { TableName } from '@understudy/sync-job';

export interface ChunkSize {
  /** The approximate size of one chunk, in bytes on disk. */
  readonly chunkBytes: number;
}

/**
 * Measures the relations of the plans and divides them into chunks.
 * @param needsOrder returns true for tables whose rows must be copied in order, and therefore as one chunk
 */
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
 * Divides relations into chunks. The same sizes give the same chunks with the same numbers. Each relation
 * gives at least one chunk. The last chunk of a relation has no upper bound, so it includes pages that are
 * added later. Chunks of larger tables come first, because these tables take longest. Pure.
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
  const { tableIndex, name, oid, reads, leaves, pages, bytes } = relation;
  const parts = Math.max(1, Math.min(pages, Math.ceil(bytes / chunkBytes)));
  const pagesOfOne = Math.max(1, Math.ceil(pages / parts));
  const count = Math.max(1, Math.ceil(pages / pagesOfOne));
  return Array.from({ length: count }, (_, i) => ({
    tableIndex,
    number: firstNumber + i,
    relation: name,
    relationOid: oid,
    reads,
    ...(leaves === undefined ? {} : { leaves }),
    fromPage: i === 0 ? undefined : i * pagesOfOne,
    toPage: i === count - 1 ? undefined : (i + 1) * pagesOfOne,
    bytes: Math.round(bytes / count),
  }));
}

/** Returns the plans with the leaf partitions from which the chunks read. */
export function withLeaves(plans: readonly TablePlan[], chunks: readonly Chunk[]): readonly TablePlan[] {
  const leavesOf = new Map(plans.map(({ index }) => [index, new Set<string>()]));
  for (const { tableIndex, relationOid, leaves = [relationOid] } of chunks) {
    for (const leaf of leaves) leavesOf.get(tableIndex)?.add(leaf);
  }
  return plans.map((plan) =>
    plan.source.isPartitioned ? { ...plan, leaves: [...(leavesOf.get(plan.index) ?? [])] } : plan,
  );
}

/**
 * Limits the number of chunks of one table, because the chunks are kept in memory and in the ledger. Each
 * leaf partition may add one more chunk.
 */
const MAX_CHUNKS_OF_A_TABLE = 10_000;

/** A part of a table that is read with one statement and committed as a unit. The ledger stores it as JSON. */
export interface Chunk {
  /** The index of the table in the command. */
  readonly tableIndex: number;
  /** The number of the chunk within the table, from 0. */
  readonly number: number;
  /** The relation from which the rows are read: the table, or one of its leaf partitions. */
  readonly relation: TableName;
  readonly relationOid: string;
  readonly reads: RelationKind;
  /** The oids of the leaf partitions of a `tree`. */
  readonly leaves?: readonly string[];
  /** The first page of the chunk; undefined for the start of the relation. */
  readonly fromPage: number | undefined;
  /**
   * The first page after the chunk; undefined if the chunk reaches the end of the relation, including pages
   * that are added later.
   */
  readonly toPage: number | undefined;
  /** The approximate size of the chunk, in bytes on disk. */
  readonly bytes: number;
}
