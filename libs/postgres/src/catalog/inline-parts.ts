import type { Client } from 'pg';
import { releasingLocks } from '../connection/releasing-locks.js';
import { INLINE_PARTS } from './statements/inline-parts.sql.js';

/** A part of a table's definition that pg_dump can write inside CREATE TABLE. */
export interface InlinePart {
  /** `<catalog oid> <object oid>` */
  readonly address: string;
  readonly schema: string;
  readonly table: string;
  /** The name of the constraint or of the column. */
  readonly name: string;
  /** The texts that can be between a column's name and the clause; null for a constraint. */
  readonly prefixes: readonly (string | null)[] | null;
  /** The definition of the constraint, or the clause with the column's expression. */
  readonly clause: string;
  /** False if the part can come only from another table by inheritance, so that pg_dump need not write it. */
  readonly is_local: boolean;
}

/**
 * Reads CHECK constraints and expressions of columns with the texts that pg_dump writes.
 * @param client a client in a transaction
 * @param addresses the parts; ignores other kinds of parts
 */
export function readInlineParts(
  client: Client,
  addresses: readonly string[],
): Promise<readonly InlinePart[]> {
  return releasingLocks(client, async () => {
    await client.query(SETTINGS_OF_PG_DUMP);
    return (await client.query<InlinePart>(INLINE_PARTS, [addresses])).rows;
  });
}

/** The settings that change these texts and that pg_dump leaves at the values of the database and the role. */
const SETTINGS_OF_PG_DUMP = `
  SET LOCAL timezone TO DEFAULT; SET LOCAL bytea_output TO DEFAULT; SET LOCAL lc_monetary TO DEFAULT;
  SET LOCAL standard_conforming_strings TO DEFAULT; SET LOCAL quote_all_identifiers TO DEFAULT
`;
