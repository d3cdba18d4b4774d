import {
  DEPENDENTS_OF_TABLES,
  parseTableName,
  SCHEMA_OBJECTS,
  schemasAndNames,
  sqlNames,
} from '@understudy/postgres';
import {
  type DatabaseSide,
  LEFT_OUT_KINDS,
  type LeftOut,
  type LeftOutKind,
  type NamedObject,
  type NamedObjectKind,
  type SyncJobCommand,
  type SyncWarning,
} from '@understudy/sync-job';
import type { LocatedClient } from '../../session/located-client.js';
import type { LeftOutObject } from '../../local-names.js';

/** An object of the source that a job may leave out. */
export interface SchemaObject {
  readonly kind: LeftOutKind;
  /** The object's class and oid, written as in {@link TableDefinitions.needed}. */
  readonly address: string;
  readonly identity: string;
  /** Null for a schema and an extension. */
  readonly schema: string | null;
  readonly name: string;
}

/**
 * Lists the objects of the source that the target lacks.
 * @param excluded the addresses of objects of the target that do not count
 */
export async function findLeftOut(
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
  excluded: ReadonlySet<string> = new Set(),
): Promise<readonly SchemaObject[]> {
  const [ofSource, ofTarget] = await Promise.all([objectsOf(source, true), objectsOf(target, false)]);
  const there = new Set(ofTarget.filter(({ address }) => !excluded.has(address)).map(keyOf));
  return ofSource.filter((object) => !there.has(keyOf(object)));
}

async function objectsOf(client: LocatedClient, isOwnOnly: boolean): Promise<readonly SchemaObject[]> {
  const { rows } = await client.query<Omit<SchemaObject, 'address'> & { classid: string; oid: string }>(
    SCHEMA_OBJECTS,
    [isOwnOnly],
  );
  return rows.map(({ classid, oid, ...object }) => ({ ...object, address: `${classid} ${oid}` }));
}

/** Warns about each left out object that depends on tables of the job, up to a limit, and counts the others. */
export async function dependentsLeftOut(
  objects: readonly SchemaObject[],
  { tables }: Pick<SyncJobCommand, 'tables'>,
  source: LocatedClient,
): Promise<readonly SyncWarning[]> {
  if (objects.length === 0) return [];
  const names = tables.flatMap(({ name }) => parseTableName(name) ?? []);
  const { rows } = await source.query<{
    address: string;
    kind: NamedObjectKind;
    schema: string;
    name: string;
  }>(DEPENDENTS_OF_TABLES, schemasAndNames(names));
  const isLeftOut = new Set(objects.map(({ address }) => address));
  const dependents = rows.filter(({ address }) => isLeftOut.has(address));
  return namingWarnings(
    'dependent_left_out',
    dependents.map(({ kind, schema, name }) => ({ kind, ...sqlNames({ schema, name }) })),
  );
}

/** The number of objects that warnings name. */
const MAX_NAMED = 20;

/** Returns a warning for each object, up to a limit, and one that counts the others. */
export function namingWarnings(
  code: SyncWarning['code'],
  objects: readonly NamedObject[],
): readonly SyncWarning[] {
  const named = objects.slice(0, MAX_NAMED).map((object) => ({ code, object }));
  const count = objects.length - named.length;
  return count > 0 ? [...named, { code, count }] : named;
}

const keyOf = ({ kind, identity }: SchemaObject) => `${kind} ${identity}`;

export function countByKind(objects: readonly SchemaObject[]): LeftOut {
  const counts = LEFT_OUT_KINDS.map((kind) => [
    kind,
    objects.filter((object) => object.kind === kind).length,
  ]);
  return Object.fromEntries(counts) as LeftOut;
}

/** Returns the name of an object for a problem or a warning. */
export function namedObject({ kind, schema, name }: SchemaObject): NamedObject {
  return { kind: NAMED_KINDS[kind], ...sqlNames({ schema, name }) };
}

const NAMED_KINDS: Readonly<Record<LeftOutKind, NamedObjectKind>> = {
  tables: 'relation',
  foreign_tables: 'relation',
  views: 'relation',
  materialized_views: 'relation',
  sequences: 'relation',
  functions: 'function',
  types: 'type',
  schemas: 'schema',
  extensions: 'extension',
};

export function namesOfLeftOut(objects: readonly SchemaObject[]): readonly LeftOutObject[] {
  return objects.map(({ kind, identity }) => ({ kind, name: identity }));
}
