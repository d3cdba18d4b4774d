import { type EntrySql, parseTableName, quoteTable, schemasAndNames, sqlNames } from '@understudy/postgres';
import {
  defined,
  type NamedObject,
  type NamedObjectKind,
  type SyncJobCommand,
  type SyncProblem,
  type SyncWarning,
} from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import type { LocatedClient } from '../../session/located-client.js';
import { namingWarnings } from '../preflight/left-out.js';
import { CHOSEN_NOT_FOUND, EXCLUDED_OBJECTS } from './excluded-objects.sql.js';

/** An object of the source that the new database does not get. */
export interface ExcludedObject {
  /** The oids of its catalog and of the object, as in {@link EntrySql.address}. */
  readonly address: string;
  readonly kind: NamedObjectKind;
  readonly schema: string | null;
  readonly name: string | null;
  /** The kind and the identity that PostgreSQL gives the object, such as `function public.f(integer)`. */
  readonly identity: string;
  /** Whether the job excludes the schema or the table to which the object belongs. */
  readonly isExcluded: boolean;
  /** Whether the job skips the object, or something on which it depends. */
  readonly isSkipped: boolean;
  /** Whether the object has a name of its own. An array type has none. */
  readonly isNamed: boolean;
  /** The name of a table. */
  readonly table: string | null;
  /** Whether the object is a partition of a table that is not left out, so rows of that table have no partition. */
  readonly isPartOfKept: boolean;
}

type Choices = Pick<SyncJobCommand, 'excludeSchemas' | 'excludeTables' | 'skipObjects'>;

/** Lists the objects of the source that the job leaves out, and all objects that depend on them. */
export async function findExcluded(
  source: LocatedClient,
  command: Choices,
): Promise<readonly ExcludedObject[]> {
  const { excludeSchemas = [], excludeTables = [], skipObjects = [] } = command;
  if (excludeSchemas.length + excludeTables.length + skipObjects.length === 0) return [];
  const { rows } = await source.query<ExcludedObject>(EXCLUDED_OBJECTS, [
    ...chosenNames(command),
    skipObjects.map(likePattern),
  ]);
  return rows;
}

/** Returns the names of the tables among the objects, as in `tables` of a job. */
export function excludedTables(objects: readonly ExcludedObject[]): readonly string[] {
  return objects.flatMap(({ schema, table }) =>
    schema === null || table === null ? [] : [quoteTable({ schema, table })],
  );
}

/**
 * Returns a problem for each chosen schema and table that does not exist, and for each object that must not be left out.
 * It depends on an excluded one and is not excluded itself, or is a table of the job or a partition of a kept table.
 */
export async function exclusionProblems(
  source: LocatedClient,
  command: SyncJobCommand,
  objects: readonly ExcludedObject[],
): Promise<readonly SyncProblem[]> {
  const { rows } = await source.query<Pick<ExcludedObject, 'kind' | 'schema' | 'name'>>(
    CHOSEN_NOT_FOUND,
    chosenNames(command),
  );
  const listed = new Map(
    command.tables.flatMap(({ name }, index) => {
      const table = parseTableName(name);
      return table === undefined ? [] : [[quoteTable(table), index] as const];
    }),
  );
  const indexOf = ({ schema, table }: ExcludedObject) =>
    schema === null || table === null ? undefined : listed.get(quoteTable({ schema, table }));
  const isNeeded = (object: ExcludedObject) =>
    object.isPartOfKept || indexOf(object) !== undefined || !(object.isExcluded || object.isSkipped);
  const needing = objects.filter((object) => object.isNamed && isNeeded(object));
  return [
    ...rows.map((row) => ({ code: 'excluded_not_found', side: 'source', object: nameOf(row) }) as const),
    ...needing.map((object) => {
      const tableIndex = indexOf(object);
      return {
        code: 'excluded_needed',
        side: 'source',
        ...defined({ tableIndex }),
        object: nameOf(object),
      } as const;
    }),
  ];
}

/** Logs what the job leaves out, and warns about each object that it skips, up to a limit. */
export function reportExcluded(
  objects: readonly ExcludedObject[],
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): readonly SyncWarning[] {
  const shown = objects.filter(({ isNamed }) => isNamed);
  if (shown.length === 0) return [];
  logNames(environment, { about: 'excluded', objects: shown.map(({ identity }) => identity) });
  const skipped = shown.filter(({ isExcluded }) => !isExcluded);
  return namingWarnings('object_skipped', skipped.map(nameOf));
}

/**
 * Returns those of the entries that a job runs, in their order. It runs none that belongs to a left out object or needs
 * one, and no definition or comment of an object that the new database has already.
 * @param prepared the addresses of the objects that the new database has from its template
 */
export function createdEntries(
  entries: readonly EntrySql[],
  objects: readonly ExcludedObject[],
  prepared: ReadonlySet<string>,
): ReadonlySet<EntrySql> {
  const excluded = new Set(objects.map(({ address }) => address));
  const removed = new Set<string>();
  const existing = new Set<string>();
  // An entry is behind those that it needs.
  const created = entries.filter(({ id, address, needs, type }) => {
    const isRemoved =
      (address !== undefined && excluded.has(address)) || needs.some((need) => removed.has(need));
    const isThere =
      address === undefined
        ? IS_COMMENT.test(type) && needs.some((need) => existing.has(need))
        : prepared.has(address);
    if (isRemoved) removed.add(id);
    if (isThere) existing.add(id);
    return !isRemoved && !isThere && !IS_USER_MAPPING.test(type);
  });
  return new Set(created);
}

const IS_COMMENT = /^COMMENT /;
/** A user mapping can contain a password, and is never copied. */
const IS_USER_MAPPING = /^USER MAPPING /;

function chosenNames({ excludeSchemas = [], excludeTables = [] }: Choices): [string[], string[], string[]] {
  const names = excludeTables.map((name) => parseTableName(name) ?? { schema: '', table: name });
  return [[...excludeSchemas], ...schemasAndNames(names)];
}

/** Returns the pattern of LIKE for one in which `*` is any text. */
function likePattern(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}

function nameOf({ kind, schema, name }: Pick<ExcludedObject, 'kind' | 'schema' | 'name'>): NamedObject {
  return { kind, ...sqlNames({ schema: schema ?? undefined, name: name ?? undefined }) };
}
