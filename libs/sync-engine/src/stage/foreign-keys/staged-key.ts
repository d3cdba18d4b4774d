import { type Client, quoteIdentifier, quoteLiteral, quoteTable, readRows } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import type { StagedTable } from '../ledger/staging-ledger.js';
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
  const table = `ALTER TABLE ${key.isPartitioned ? '' : 'ONLY '}${quoteTable(relation)}`;
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
 * Returns SQL that records keys in the ledger. A key is early if both of its tables are created, or if both are
 * replacements of swapped tables. Their rows are final before the switch, and they become the real tables together. A key
 * to a partitioned table is not early, because only the post-data SQL attaches the indexes of its partitions.
 */
export function recordKeys(
  jobId: string,
  { keys, staged, hiddenSchemas, majorVersion }: KeysToRecord,
): string {
  if (keys.length === 0) return '';
  const kinds = new Map(staged.map(({ tableIndex, kind }) => [tableIndex, kind]));
  const values = keys.map((key, n) => {
    const kind = kinds.get(key.tableIndex);
    const isPair =
      (kind === 'moved' || kind === 'swapped') &&
      key.referencedIndex !== undefined &&
      !key.isReferencedPartitioned &&
      kinds.get(key.referencedIndex) === kind;
    const hidden = isPair ? hiddenSql(key, hiddenSchemas, majorVersion) : undefined;
    const { adding, validating } = hidden ?? keySql(key, key.relation, majorVersion);
    const texts = [key.name, JSON.stringify(key.columns), adding, validating].map(quoteLiteral);
    return `(${[n + 1, key.tableIndex, key.referencedIndex ?? 'NULL', ...texts, hidden !== undefined, "'open'"].join(', ')})`;
  });
  return `INSERT INTO ${stagingTable(jobId, 'foreign_key')} VALUES ${values.join(', ')};`;
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
            is_early AS "isEarly", state FROM ${stagingTable(jobId, 'foreign_key')} ORDER BY n`,
  );
}

/** Returns SQL that records the state of a key. */
export function markKey(jobId: string, { n }: Pick<StagedKey, 'n'>, state: KeyState): string {
  return `UPDATE ${stagingTable(jobId, 'foreign_key')} SET state = '${state}' WHERE n = ${n}`;
}
