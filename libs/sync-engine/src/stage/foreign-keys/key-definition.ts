import { type Client, KEY_DEFINITIONS, readRows, TABLES_AND_PARTITIONS } from '@understudy/postgres';
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
  const { rows: relations } = await client.query<{ listed: string; relation: string }>(
    TABLES_AND_PARTITIONS,
    [[...all.keys()]],
  );
  const indexOf = new Map(relations.map(({ listed, relation }) => [relation, all.get(listed)]));
  const isOwn = relations.filter(({ listed }) => own.has(listed)).map(({ relation }) => relation);
  const rows = await readRows<KeyRow>(client, KEY_DEFINITIONS, [isOwn, [...indexOf.keys()]]);
  return rows.map(({ ofRelation, toRelation, ...key }) => {
    const referencedIndex = indexOf.get(toRelation);
    return {
      ...{ ...key, tableIndex: indexOf.get(ofRelation) ?? 0 },
      ...(referencedIndex === undefined ? {} : { referencedIndex }),
    };
  });
}

type KeyRow = Omit<KeyDefinition, 'tableIndex' | 'referencedIndex'> & {
  /** The oids of the relations at both ends. */
  readonly ofRelation: string;
  readonly toRelation: string;
};
