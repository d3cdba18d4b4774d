import type { Client } from 'pg';
import type { TableName } from '@understudy/sync-job';
import { schemasAndNames } from './names.js';
import { keyOfSequence } from './table-sequences.js';

/** The options of a sequence that decide which values it returns. */
export interface SequenceOptions {
  readonly increment: bigint;
  readonly cycles: boolean;
  readonly min: bigint;
  readonly max: bigint;
  /** The bounds of the sequence's type. */
  readonly typeMin: bigint;
  readonly typeMax: bigint;
}

/** Reads the options of sequences, by {@link keyOfSequence}. Needs no privilege on them. */
export async function readSequenceOptions(
  client: Client,
  names: readonly TableName[],
): Promise<ReadonlyMap<string, SequenceOptions>> {
  if (names.length === 0) return new Map();
  const { rows } = await client.query<Row>(OPTIONS, schemasAndNames(names));
  return new Map(
    rows.map(({ schema, table, cycles, size, ...texts }) => {
      const typeMax = 2n ** BigInt(8 * size - 1) - 1n;
      const [increment, min, max] = [BigInt(texts.increment), BigInt(texts.min), BigInt(texts.max)];
      return [
        keyOfSequence({ schema, table }),
        { increment, cycles, min, max, typeMin: -typeMax - 1n, typeMax },
      ];
    }),
  );
}

interface Row extends TableName {
  readonly cycles: boolean;
  readonly size: number;
  readonly increment: string;
  readonly min: string;
  readonly max: string;
}

const OPTIONS = `
  SELECT n.nspname AS schema, s.relname AS table, q.seqcycle AS cycles, t.typlen AS size,
         q.seqincrement AS increment, q.seqmin AS min, q.seqmax AS max
    FROM ROWS FROM (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) AS wanted (schema, name)
    JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.schema
    JOIN pg_catalog.pg_class s ON s.relnamespace = n.oid AND s.relname = wanted.name
    JOIN pg_catalog.pg_sequence q ON q.seqrelid = s.oid
    JOIN pg_catalog.pg_type t ON t.oid = q.seqtypid
`;

/**
 * Returns whether a sequence of the target has other options than that of the source. A target may have a larger type
 * with its bounds. Pure.
 */
export function hasOtherOptions(source: SequenceOptions, target: SequenceOptions): boolean {
  const isSameMax = source.max === target.max || (source.max < target.max && target.max === target.typeMax);
  const isSameMin = source.min === target.min || (source.min > target.min && target.min === target.typeMin);
  return source.increment !== target.increment || source.cycles !== target.cycles || !isSameMax || !isSameMin;
}
