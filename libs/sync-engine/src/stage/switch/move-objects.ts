import { quoteIdentifier, quoteLiteral, type Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { linksToKnown, newObjects } from './object-catalog.sql.js';
import { hiddenSchema, stagingTable } from '../staging-names.js';

/** The result of {@link hideNewObjects}. */
export interface MovedObjects {
  /** A map from the name of each real schema to the hidden schema that contains its new objects until the switch. */
  readonly hiddenSchemas: ReadonlyMap<string, string>;
  /**
   * The hidden schemas that were created for new objects in existing schemas. Every other hidden schema is a
   * schema that the job created and then renamed.
   */
  readonly made: readonly string[];
  /** SQL that attaches the new tables to existing parent tables again. Run it after {@link moveBack}. */
  readonly linkSql: string;
}

/**
 * Hides all objects that this transaction has created. Renames each new schema. Moves new objects in an
 * existing schema to a new hidden schema. Expressions that use the objects stay valid, because they reference
 * objects by oid.
 * @throws SyncJobError prerequisite_missing for an object that cannot be moved
 */
export async function hideNewObjects(client: Client, jobId: string): Promise<MovedObjects> {
  const linkSql = await unlink(client, jobId);
  const { rows } = await client.query<MadeObject>(newObjects(jobId));
  const schemas = new Map(
    rows.flatMap((made) => (made.made_schema === null ? [] : [[made.made_schema, made] as const])),
  );
  const hiddenSchemas = new Map<string, string>();
  const moves: string[] = [];
  const ledgerRows: string[] = [];
  const record = ({ classid, objid }: MadeObject, schema: string) => {
    ledgerRows.push(`(${ledgerRows.length + 1}, ${classid}, ${objid}, ${quoteLiteral(schema)})`);
  };
  for (const made of rows) {
    if (made.type === 'schema' || (made.schema !== null && schemas.has(made.schema))) continue;
    if (made.schema === null || made.is_range || made.type === 'extension') await checkMovable(client, made);
    const schema = made.schema ?? '';
    let hiddenName = hiddenSchemas.get(schema);
    if (hiddenName === undefined) {
      hiddenName = hiddenSchema(jobId, hiddenSchemas.size + 1);
      hiddenSchemas.set(schema, hiddenName);
      moves.push(`CREATE SCHEMA ${quoteIdentifier(hiddenName)}`);
    }
    moves.push(`ALTER ${made.type} ${made.identity} SET SCHEMA ${quoteIdentifier(hiddenName)}`);
    record(made, schema);
  }
  const newSchemas = [...hiddenSchemas.values()];
  for (const [name, made] of schemas) {
    const hiddenName = hiddenSchema(jobId, hiddenSchemas.size + 1);
    hiddenSchemas.set(name, hiddenName);
    moves.push(`ALTER SCHEMA ${quoteIdentifier(name)} RENAME TO ${quoteIdentifier(hiddenName)}`);
    record(made, name);
  }
  if (ledgerRows.length > 0) {
    moves.push(`INSERT INTO ${stagingTable(jobId, 'moved')} VALUES ${ledgerRows.join(', ')}`);
    await client.query(moves.join('; '));
  }
  return { hiddenSchemas, made: newSchemas, linkSql };
}

/** Returns {@link MovedObjects.hiddenSchemas} from the ledger. */
export async function readHiddenSchemas(client: Client, jobId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ schema: string; hidden: string }>(
    `SELECT DISTINCT m.schema, (pg_catalog.parse_ident(coalesce(i.schema, i.name)))[1] AS hidden
       FROM ${stagingTable(jobId, 'moved')} m
      CROSS JOIN LATERAL pg_catalog.pg_identify_object(m.classid::oid, m.objid::oid, 0) AS i
      WHERE i.schema IS NOT NULL OR i.type = 'schema'`,
  );
  return new Map(rows.map(({ schema, hidden }) => [schema, hidden]));
}

/** Moves all objects back to their real schemas. Empty hidden schemas remain until the staging is dropped. */
export async function moveBack(client: Client, jobId: string): Promise<void> {
  const { rows } = await client.query<{ type: string; identity: string; schema: string }>(
    `SELECT i.type, i.identity, m.schema FROM ${stagingTable(jobId, 'moved')} m
      CROSS JOIN LATERAL pg_catalog.pg_identify_object(m.classid::oid, m.objid::oid, 0) AS i ORDER BY m.n`,
  );
  const moves = rows.map(({ type, identity, schema }) =>
    type === 'schema'
      ? `ALTER SCHEMA ${identity} RENAME TO ${quoteIdentifier(schema)}`
      : `ALTER ${type} ${identity} SET SCHEMA ${quoteIdentifier(schema)}`,
  );
  if (moves.length > 0) await client.query(moves.join('; '));
}

interface MadeObject {
  classid: string;
  objid: string;
  /** The type as in an ALTER statement, for example `table`. */
  type: string;
  /** The quoted name, with argument types for a function. */
  identity: string;
  schema: string | null;
  /** The name of the object if it is a schema, otherwise null. */
  made_schema: string | null;
  is_range: boolean;
}

/**
 * Checks that an object can be moved to a hidden schema. An object without a schema cannot be moved. The
 * constructors of a range type and the members of an extension belong to a superuser, even if another role
 * created the type or the extension. Other roles cannot move these members and constructors. Therefore, an
 * extension is moved only if it is relocatable and the role is a superuser. A range type is never moved.
 * @throws SyncJobError prerequisite_missing
 */
async function checkMovable(client: Client, made: MadeObject): Promise<void> {
  const { rows } = await client.query<{ superuser: boolean; relocatable: boolean }>(
    `SELECT current_setting('is_superuser')::boolean AS superuser,
            coalesce((SELECT extrelocatable FROM pg_catalog.pg_extension WHERE oid = $1), false) AS relocatable`,
    [made.type === 'extension' ? made.objid : '0'],
  );
  if (made.type === 'extension' && rows[0]?.superuser === true && rows[0].relocatable) return;
  throw new SyncJobError(
    { code: 'prerequisite_missing', side: 'target' },
    {
      cause: new Error(
        `create ${made.type} ${made.identity} on the target before the job: it cannot be created in a hidden schema`,
      ),
    },
  );
}

/**
 * Detaches new tables from existing parent tables.
 * @returns SQL that attaches them again, under their real names
 */
async function unlink(client: Client, jobId: string): Promise<string> {
  const { rows } = await client.query<{
    child: string;
    parent: string;
    is_partition: boolean;
    bound: string;
  }>(linksToKnown(jobId));
  const off = rows.map(({ child, parent, is_partition: isPartition }) =>
    isPartition
      ? `ALTER TABLE ${parent} DETACH PARTITION ${child}`
      : `ALTER TABLE ${child} NO INHERIT ${parent}`,
  );
  if (off.length > 0) await client.query(off.join('; '));
  return rows
    .map(({ child, parent, is_partition: isPartition, bound }) =>
      isPartition
        ? `ALTER TABLE ${parent} ATTACH PARTITION ${child} ${bound};`
        : `ALTER TABLE ${child} INHERIT ${parent};`,
    )
    .join('\n');
}
