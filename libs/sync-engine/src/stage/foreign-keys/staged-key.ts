import { type Client, quoteIdentifier, quoteLiteral, quoteTable, readRows } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import { isTableItself, type StagedTable } from '../ledger/staging-ledger.js';
import { stagingTable } from '../staging-names.js';
import type { KeyDefinition } from './key-definition.js';

/** The SQL that creates a foreign key. */
export interface KeySql {
  /** Creates the key, with its comment. */
  readonly adding: string;
  /** Validates the key, which `adding` has created as NOT VALID. Empty if no row is to be checked, or `adding` does it. */
  readonly validating: string;
}

/** A foreign key in the ledger, with the SQL that creates it. */
export interface StagedKey extends KeySql {
  readonly n: number;
  readonly tableIndex: number;
  readonly referencedIndex?: number;
  readonly name: string;
  readonly columns: readonly string[];
  /** Whether the key is created on the hidden tables, before the switch. */
  readonly isEarly: boolean;
  /**
   * Whether the key replaces the early key of the same name if the referenced table is not swapped after all. `adding` then
   * drops the early key.
   */
  readonly isFallback: boolean;
  readonly state: KeyState;
}

/** `kept_not_valid`: rows violate the key, and the job keeps them. */
export type KeyState = 'open' | 'added' | 'validated' | 'kept_not_valid';

/** Tests whether a server accepts NOT VALID for a foreign key of a table. */
export function canBeNotValid(isPartitioned: boolean, majorVersion: number): boolean {
  return !isPartitioned || majorVersion >= 18;
}

/** Returns the SQL for a key under the given names. A key is validated separately if the server can do so. */
export function keySql(
  key: Pick<KeyDefinition, 'name' | 'definition' | 'comment' | 'isPartitioned' | 'isValidated'>,
  relation: TableName,
  majorVersion: number,
): KeySql {
  const table = alterTable(key, relation);
  const name = quoteIdentifier(key.name);
  const isLate = key.isValidated && canBeNotValid(key.isPartitioned, majorVersion);
  const comment =
    key.comment === undefined
      ? ''
      : `; COMMENT ON CONSTRAINT ${name} ON ${quoteTable(relation)} IS ${quoteLiteral(key.comment)}`;
  return {
    adding: `${table} ADD CONSTRAINT ${name} ${key.definition}${isLate ? ' NOT VALID' : ''}${comment}`,
    validating: isLate ? `${table} VALIDATE CONSTRAINT ${name}` : '',
  };
}

function alterTable({ isPartitioned }: Pick<KeyDefinition, 'isPartitioned'>, relation: TableName): string {
  return `ALTER TABLE ${isPartitioned ? '' : 'ONLY '}${quoteTable(relation)}`;
}

/** Returns the SQL that creates keys on tables without rows. */
export function keysOnEmptyTables(keys: readonly KeyDefinition[]): string {
  return keys.map((key) => `${keySql({ ...key, isValidated: false }, key.relation, 0).adding};`).join('\n');
}

export interface KeysToRecord {
  readonly keys: readonly KeyDefinition[];
  readonly staged: readonly StagedTable[];
  /** The hidden schemas of the job's new objects, by the name of the real schema. */
  readonly hiddenSchemas: ReadonlyMap<string, string>;
  readonly majorVersion: number;
}

/**
 * Returns SQL that records keys in the ledger. A key is early if each of its tables is created or is the replacement of a
 * swapped table. Their rows are final before the switch, and they become the real tables together. A key to a
 * partitioned table is not early, because only the post-data SQL attaches the indexes of its partitions.
 */
export function recordKeys(jobId: string, { keys, ...request }: KeysToRecord): string {
  const staged = keys.flatMap((key) => stagedKeys(key, request));
  if (staged.length === 0) return '';
  const values = staged.map(({ key, sql, isEarly, isFallback }, n) => {
    const texts = [key.name, JSON.stringify(key.columns), sql.adding, sql.validating].map(quoteLiteral);
    const indexes = [key.tableIndex, key.referencedIndex ?? 'NULL'];
    return `(${[n + 1, ...indexes, ...texts, isEarly, isFallback, "'open'"].join(', ')})`;
  });
  return `INSERT INTO ${stagingTable(jobId, 'foreign_key')} VALUES ${values.join(', ')};`;
}

/** Returns the rows of the ledger for a key. */
function stagedKeys(
  key: KeyDefinition,
  { staged, hiddenSchemas, majorVersion }: Omit<KeysToRecord, 'keys'>,
): readonly (Pick<StagedKey, 'isEarly' | 'isFallback'> & {
  readonly key: KeyDefinition;
  readonly sql: KeySql;
})[] {
  const kindOf = (index: number | undefined) => staged.find(({ tableIndex }) => tableIndex === index)?.kind;
  const [kind, referenced] = [kindOf(key.tableIndex), kindOf(key.referencedIndex)];
  const isPair = [kind, referenced].every((one) => one !== undefined && isTableItself(one));
  const hidden =
    isPair && !key.isReferencedPartitioned ? hiddenSql(key, hiddenSchemas, majorVersion) : undefined;
  const real = keySql(key, key.relation, majorVersion);
  if (hidden === undefined) return [{ key, sql: real, isEarly: false, isFallback: false }];
  const early = { key, sql: hidden, isEarly: true, isFallback: false };
  if (kind === referenced) return [early];
  const dropping = `${alterTable(key, key.relation)} DROP CONSTRAINT ${quoteIdentifier(key.name)}`;
  const sql = { ...real, adding: `${dropping}; ${real.adding}` };
  return [early, { key, sql, isEarly: false, isFallback: true }];
}

/** @returns undefined if the key cannot be written with the names of the hidden tables */
function hiddenSql(
  key: KeyDefinition,
  hiddenSchemas: ReadonlyMap<string, string>,
  majorVersion: number,
): KeySql | undefined {
  const { before, after, relation, referenced } = key;
  const schema = hiddenSchemas.get(relation.schema);
  const ofReferenced = hiddenSchemas.get(referenced.schema);
  if (before === undefined || after === undefined) return undefined;
  if (schema === undefined || ofReferenced === undefined) return undefined;
  const definition = `${before}${quoteTable({ ...referenced, schema: ofReferenced })}${after}`;
  return keySql({ ...key, definition }, { ...relation, schema }, majorVersion);
}

/** Reads the keys of the ledger in their order. */
export function readStagedKeys(client: Client, jobId: string): Promise<readonly StagedKey[]> {
  return readRows<StagedKey>(
    client,
    `SELECT n, table_index AS "tableIndex", referenced_index AS "referencedIndex", name, columns::json AS columns, adding, validating,
            is_early AS "isEarly", is_fallback AS "isFallback", state FROM ${stagingTable(jobId, 'foreign_key')} ORDER BY n`,
  );
}

/** Returns SQL that records the state of a key. */
export function markKey(jobId: string, { n }: Pick<StagedKey, 'n'>, state: KeyState): string {
  return `UPDATE ${stagingTable(jobId, 'foreign_key')} SET state = '${state}' WHERE n = ${n}`;
}
