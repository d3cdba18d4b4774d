import {
  callingEntries,
  chooseEntries,
  type CatalogObject,
  DEFINITION_CLOSURE,
  FOREIGN_KEYS_ELSEWHERE,
  findObjects,
  INHERITED_PARTS,
  LOST_PARTS,
  type InlinePart,
  isCommentOf,
  quoteTable,
  readInlineParts,
  readMajorVersion,
  type SchemaArchive,
  tableObjects,
  withoutInlineParts,
} from '@understudy/postgres';
import { guard } from '../../session/guard.js';
import type { LocatedClient } from '../../session/located-client.js';
import { SyncJobError, type SyncWarning } from '@understudy/sync-job';
import { type KeyDefinition, PG_CONSTRAINT, readKeyDefinitions } from '../foreign-keys/key-definition.js';
import { findDeferredTables, type NeededObject } from './deferred-tables.js';
import { requireTrusted } from '../../plan/preflight/object-trust.js';
import { omissionWarnings, sourceCodeProblem } from '../../plan/preflight/source-code.js';
import type { TablePlan } from '../../plan/table-plan.js';

export interface DefineTablesRequest {
  readonly plans: readonly TablePlan[];
  /** A client in the job's snapshot. */
  readonly source: LocatedClient;
  /** A client in a transaction. It reads only catalogs. */
  readonly target: LocatedClient;
  readonly archive: () => Promise<SchemaArchive>;
  /** Whether the tables may use objects of the target that other roles could have planted. */
  readonly allowSharedSchemas: boolean;
  /** The indexes of missing tables that only the switch may create. */
  readonly deferring: ReadonlySet<number>;
}

/** The SQL that creates the tables that the target lacks, under their real names. */
export interface TableDefinitions {
  readonly warnings: readonly SyncWarning[];
  /** The indexes of the tables that {@link deferredSql} creates in the switch. */
  readonly deferred: ReadonlySet<number>;
  /**
   * SQL to run before the rows are copied. The objects that it creates must then be moved to hidden schemas.
   */
  readonly createSql: string;
  /** SQL to run in the switch, after all other objects are in their real schemas. */
  readonly deferredSql: string;
  /** The part of {@link postDataSql} that builds the indexes of the tables in {@link deferredSql}. */
  readonly deferredIndexSql: string;
  /** SQL to run in the switch, after the rows are in the real tables. Creates no foreign keys. */
  readonly postDataSql: string;
  /** The foreign keys of the missing tables. */
  readonly keys: readonly KeyDefinition[];
  /**
   * The part of {@link deferredSql} and {@link postDataSql} that can contain code of the source. Empty if the job may
   * create such code.
   */
  readonly laterCodeSql: string;
  /** The addresses (class and oid on the source) of all objects that the missing tables need. */
  readonly needed: ReadonlySet<string>;
}

export const NOTHING_TO_DEFINE: TableDefinitions = {
  warnings: [],
  deferred: new Set(),
  createSql: '',
  deferredSql: '',
  deferredIndexSql: '',
  postDataSql: '',
  keys: [],
  laterCodeSql: '',
  needed: new Set(),
};

/**
 * Derives SQL from the source's definition. The SQL creates the missing tables, and the types, sequences,
 * functions and other objects that these tables need.
 * @throws SyncJobError object_untrusted, source_code_refused
 */
export async function defineTables(request: DefineTablesRequest): Promise<TableDefinitions> {
  const { plans, source, target, deferring } = request;
  const missing = plans.filter((plan) => plan.target === undefined);
  if (missing.length === 0) return NOTHING_TO_DEFINE;
  const omitted = new Set(addressesOmitted(missing));
  const inline = await omittedInline(request, missing);
  const skipped = await skippedForeignKeys(request, missing, omitted);
  const objects = await neededObjects(request, missing);
  const wanted = objects.filter(({ oid }) => !skipped.has(oid));
  const closureOf = (some: readonly TablePlan[]) => closure(request, some);
  const deferred = await findDeferredTables({
    ...{ source, target, missing, needed: objects, deferring, closureOf },
  });
  const archive = await request.archive();
  const choose = (some: readonly NeededObject[]) => {
    const { creating, finishing } = chooseEntries(archive.entries, some);
    return { creating: creating.filter((line) => !isCommentOf(line, inline)), finishing };
  };
  const sql = (sections: readonly ('pre-data' | 'post-data')[], entries: readonly string[]) =>
    entries.length === 0 ? Promise.resolve('') : guard(source.context, () => archive.sql(sections, entries));
  const early = choose(wanted.filter(deferred.isEarly)).creating;
  const rest = choose(wanted.filter((object) => !deferred.isEarly(object))).creating;
  const indexes = await sql(['post-data'], rest);
  const created = withoutInlineParts(await sql(['pre-data', 'post-data'], early), inline);
  const createdLater = withoutInlineParts(await sql(['pre-data'], rest), inline);
  const inherited = await inheritedTriggers(request, missing, wanted);
  const keys = await foreignKeys(request, missing, wanted);
  // pg_dump only sets the state of an inherited trigger, because the partitioned table would create it.
  const apart = new Set(
    [...inherited, ...keys.map(({ oid }) => ({ classid: PG_CONSTRAINT, oid }))].map(addressOf),
  );
  const { finishing } = choose(wanted.filter((object) => !apart.has(addressOf(object))));
  const inheritedSql = inherited.map((part) => part.sql).join('\n');
  const refusesCode = missing.some((plan) => plan.refusesCode === true);
  const calling = refusesCode
    ? `${inheritedSql}\n${await sql(['post-data'], callingEntries(finishing))}`
    : '';
  requireOmitted(missing, inline, archive, new Set([...created.removed, ...createdLater.removed]));
  return {
    warnings: [
      ...[...skipped.values()].map((tableIndex) => ({ code: 'foreign_key_skipped', tableIndex }) as const),
      ...omissionWarnings(missing),
      ...(await lossWarnings(request, missing)),
    ],
    deferred: new Set([...deferred.plans].map(({ index }) => index)),
    createSql: created.sql,
    deferredSql: createdLater.sql,
    deferredIndexSql: indexes,
    postDataSql: `${indexes}\n${inheritedSql}\n${await sql(['post-data'], finishing)}`,
    keys,
    laterCodeSql: refusesCode ? `${createdLater.sql}${calling}`.trim() : '',
    needed: new Set(wanted.map(addressOf)),
  };
}

/** Reads the omitted parts that pg_dump may have written inside CREATE TABLE. */
async function omittedInline(
  { source }: DefineTablesRequest,
  missing: readonly TablePlan[],
): Promise<readonly InlinePart[]> {
  const omitted = addressesOmitted(missing);
  if (omitted.length === 0) return [];
  return readInlineParts(source, omitted);
}

/**
 * Refuses the job if the text of an omitted part was not found where it must be, because the SQL would then create the
 * part. Parts with entries of their own in the dump are left out with these entries.
 * @throws SyncJobError source_code_refused
 */
function requireOmitted(
  missing: readonly TablePlan[],
  inline: readonly InlinePart[],
  { entries }: SchemaArchive,
  removed: ReadonlySet<string>,
): void {
  const separate = new Set(tableObjects(entries).map(addressOf));
  const [remaining] = inline.filter(
    ({ address, is_local: isLocal }) => isLocal && !separate.has(address) && !removed.has(address),
  );
  if (remaining === undefined) return;
  const parts = missing.flatMap((plan) => plan.omitted ?? []);
  const part = parts.find(({ object }) => object.address === remaining.address);
  if (part === undefined) throw new Error('expected a part that the job omits');
  const problem = sourceCodeProblem(part.tableIndex, part.object);
  throw new SyncJobError(
    { ...problem, problems: [problem], problemCount: 1 },
    { cause: new Error(`pg_dump wrote ${part.object.text} in an unexpected form`) },
  );
}

/**
 * Finds the foreign keys from missing tables to tables that the target will not have.
 * @returns a map from the oid of each foreign key to the index of its table
 */
async function skippedForeignKeys(
  { plans, source, target }: DefineTablesRequest,
  missing: readonly TablePlan[],
  omitted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const indexOf = new Map(missing.map((plan) => [plan.source.oid, plan.index]));
  const keys = await source.query<{
    oid: string;
    table: string;
    referenced_schema: string;
    referenced_table: string;
  }>(FOREIGN_KEYS_ELSEWHERE, [[...indexOf.keys()], plans.map((plan) => plan.source.oid)]);
  const listed = keys.rows.map(({ referenced_schema: schema, referenced_table: table }) =>
    quoteTable({ schema, table }),
  );
  const found = await target.query<{ there: boolean }>(
    'SELECT pg_catalog.to_regclass(name) IS NOT NULL AS there FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS n (name, nr) ORDER BY nr',
    [listed],
  );
  const skipped = new Map<string, number>();
  for (const [i, key] of keys.rows.entries()) {
    if (found.rows[i]?.there === true || omitted.has(`${PG_CONSTRAINT} ${key.oid}`)) continue;
    skipped.set(key.oid, indexOf.get(key.table) ?? 0);
  }
  return skipped;
}

/** Returns a warning for each kind of part of a table that is lost on the target without an error. */
async function lossWarnings(
  { plans, source, target }: DefineTablesRequest,
  missing: readonly TablePlan[],
): Promise<readonly SyncWarning[]> {
  const indexOf = new Map(missing.map((plan) => [plan.source.oid, plan.index]));
  const version = await readMajorVersion(target);
  const { rows } = await source.query<{
    table: string;
    code: 'not_null_names_lost' | 'partition_identity_lost';
  }>(LOST_PARTS, [[...indexOf.keys()], plans.map((plan) => plan.source.oid), version]);
  return rows.flatMap(({ table, code }) => {
    const tableIndex = indexOf.get(table);
    return tableIndex === undefined ? [] : [{ code, tableIndex }];
  });
}

/** Reads those of the needed triggers that the tables inherit from partitioned tables outside the job. */
async function inheritedTriggers(
  { source }: DefineTablesRequest,
  missing: readonly TablePlan[],
  needed: readonly CatalogObject[],
): Promise<readonly (CatalogObject & { readonly sql: string })[]> {
  const { rows } = await source.query<CatalogObject & { sql: string }>(INHERITED_PARTS, [
    missing.map((plan) => plan.source.oid),
  ]);
  const isNeeded = new Set(needed.map(addressOf));
  return rows.filter((part) => part.classid !== PG_CONSTRAINT && isNeeded.has(addressOf(part)));
}

/** Reads those of the needed foreign keys that the tables have or inherit from partitioned tables outside the job. */
async function foreignKeys(
  { plans, source }: DefineTablesRequest,
  missing: readonly TablePlan[],
  needed: readonly CatalogObject[],
): Promise<readonly KeyDefinition[]> {
  const indexOf = (some: readonly TablePlan[]) => new Map(some.map((plan) => [plan.source.oid, plan.index]));
  const isNeeded = new Set(needed.map(addressOf));
  const keys = await readKeyDefinitions(source, indexOf(missing), indexOf(plans));
  return keys.filter(({ oid }) => isNeeded.has(addressOf({ classid: PG_CONSTRAINT, oid })));
}

function addressOf({ classid, oid }: CatalogObject): string {
  return `${classid} ${oid}`;
}

function addressesOmitted(plans: readonly TablePlan[]): readonly string[] {
  return plans.flatMap(({ omitted = [] }) => omitted.map(({ object }) => object.address));
}

/**
 * Finds the objects that the tables' definitions need and that the target lacks. Checks the owners of the others again,
 * because another role could have created them after the preflight.
 */
async function neededObjects(
  request: DefineTablesRequest,
  missing: readonly TablePlan[],
): Promise<readonly NeededObject[]> {
  const objects = await closure(request, missing);
  const probed = objects.filter((object) => !object.is_part);
  const known = await findObjects(request.target, probed);
  if (!request.allowSharedSchemas) await requireTrusted(request.target, [...known]);
  return objects.filter((object) => !known.has(object));
}

async function closure(
  { source }: DefineTablesRequest,
  plans: readonly TablePlan[],
): Promise<readonly ClosureRow[]> {
  const { rows } = await source.query<ClosureRow>(DEFINITION_CLOSURE, [
    plans.map((plan) => plan.source.oid),
    addressesOmitted(plans),
  ]);
  return rows;
}

interface ClosureRow extends CatalogObject {
  is_part: boolean;
  type: string;
  names: string[];
  args: string[];
}
