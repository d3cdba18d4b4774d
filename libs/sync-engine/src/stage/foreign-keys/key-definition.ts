import { type Client, KEY_DEFINITIONS, readRows } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';

/** The oid of the catalog pg_constraint, which is the same in all versions of PostgreSQL. */
export const PG_CONSTRAINT = '2606';

/** A foreign key of a table that the job creates or replaces. */
export interface KeyDefinition {
  /** The oid in the database from which the definition was read. */
  readonly oid: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly tableIndex: number;
  /** Undefined if the job does not list the referenced table. */
  readonly referencedIndex?: number;
  /** The table or the partition that has the key. */
  readonly relation: TableName;
  readonly referenced: TableName;
  /** The SQL after ADD CONSTRAINT and the name. */
  readonly definition: string;
  /** The parts of the definition around the referenced name. Undefined if the definition has another form. */
  readonly before?: string;
  readonly after?: string;
  readonly comment?: string;
  readonly isPartitioned: boolean;
  readonly isReferencedPartitioned: boolean;
  /** False if the key is NOT VALID or NOT ENFORCED. */
  readonly isValidated: boolean;
}

/**
 * Reads the foreign keys of tables from a client with an empty search path.
 * @param own the table index of the oid of each table whose keys are read
 * @param all the same for all tables of the job
 */
export async function readKeyDefinitions(
  client: Client,
  own: ReadonlyMap<string, number>,
  all: ReadonlyMap<string, number>,
): Promise<readonly KeyDefinition[]> {
  const rows = await readRows<KeyRow>(client, KEY_DEFINITIONS, [[...own.keys()], [...all.keys()]]);
  return rows.map(({ child, parent, ...key }) => {
    const referencedIndex = parent === undefined ? undefined : all.get(parent);
    return {
      ...{ ...key, tableIndex: own.get(child) ?? 0 },
      ...(referencedIndex === undefined ? {} : { referencedIndex }),
    };
  });
}

type KeyRow = Omit<KeyDefinition, 'tableIndex' | 'referencedIndex'> & {
  readonly child: string;
  readonly parent?: string;
};
