import { quoteIdentifier, quoteLiteral, type Client } from '@understudy/postgres';
import { SyncJobError } from '@understudy/sync-job';
import { linksToKnown, newObjects } from './object-catalog.sql.js';
import { shadowSchema, stagingTable } from '../staging-names.js';

/** Objects that were just made under their real names, out of sight. */
export interface MovedObjects {
  /** Real schema → the one that stands in for it until the switch. */
  readonly shadows: ReadonlyMap<string, string>;
  /** Those of them that were made for this; the others are schemas that the job makes, under another name. */
  readonly made: readonly string[];
  /** Hangs the moved tables on what they belong to, once they are back. */
  readonly linkSql: string;
}

/**
 * Moves everything that this transaction has made into shadow schemas, before anybody can see it: a schema it made is renamed, what
 * it made in another schema gets a new one. Expressions follow, since they name objects by oid.
 * @throws SyncJobError prerequisite_missing for what cannot be moved
 */
export async function moveOutOfSight(client: Client, jobId: string): Promise<MovedObjects> {
  const linkSql = await unlink(client, jobId);
  const { rows } = await client.query<MadeObject>(newObjects(jobId));
  const schemas = new Map(
    rows.flatMap((made) => (made.made_schema === null ? [] : [[made.made_schema, made] as const])),
  );
  const shadows = new Map<string, string>();
  const moves: string[] = [];
  const notes: string[] = [];
  const note = ({ classid, objid }: MadeObject, schema: string) => {
    notes.push(`(${notes.length + 1}, ${classid}, ${objid}, ${quoteLiteral(schema)})`);
  };
  for (const made of rows) {
    if (made.type === 'schema' || (made.schema !== null && schemas.has(made.schema))) continue;
    if (made.schema === null || made.is_range || made.type === 'extension') await checkMovable(client, made);
    const schema = made.schema ?? '';
    let shadow = shadows.get(schema);
    if (shadow === undefined) {
      shadow = shadowSchema(jobId, shadows.size + 1);
      shadows.set(schema, shadow);
      moves.push(`CREATE SCHEMA ${quoteIdentifier(shadow)}`);
    }
    moves.push(`ALTER ${made.type} ${made.identity} SET SCHEMA ${quoteIdentifier(shadow)}`);
    note(made, schema);
  }
  const forThis = [...shadows.values()];
  for (const [name, made] of schemas) {
    const shadow = shadowSchema(jobId, shadows.size + 1);
    shadows.set(name, shadow);
    moves.push(`ALTER SCHEMA ${quoteIdentifier(name)} RENAME TO ${quoteIdentifier(shadow)}`);
    note(made, name);
  }
  if (notes.length > 0) {
    moves.push(`INSERT INTO ${stagingTable(jobId, 'moved')} VALUES ${notes.join(', ')}`);
    await client.query(moves.join('; '));
  }
  return { shadows, made: forThis, linkSql };
}

/** Puts everything in its real place again. Empty shadow schemas stay for whoever drops the staging. */
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
  /** As `ALTER` spells it. */
  type: string;
  /** Quoted, with arguments where it has some. */
  identity: string;
  schema: string | null;
  /** Its own name, of a schema. */
  made_schema: string | null;
  is_range: boolean;
}

/**
 * What belongs to no schema would be seen at once. An extension's members, and a range's constructors, belong to the server's
 * superuser when an ordinary role made them, and only their owner can move them.
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
    { cause: new Error(`make ${made.type} ${made.identity} on the target first: it cannot be made unseen`) },
  );
}

/** Takes made tables off tables that were there before. @returns what puts them on again, under real names */
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
