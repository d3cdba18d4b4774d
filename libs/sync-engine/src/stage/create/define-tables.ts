import {
  type Client,
  chooseEntries,
  type CatalogObject,
  DEFINITION_CLOSURE,
  FOREIGN_KEYS_ELSEWHERE,
  findObjects,
  quoteTable,
  type SchemaArchive,
} from '@understudy/postgres';
import { guard, type FailureContext } from '../../session/guard.js';
import type { SyncWarning } from '@understudy/sync-job';
import { lateTables, type NeededObject } from './late-tables.js';
import type { Snapshot } from '../../source/snapshot.js';
import type { TablePlan } from '../../plan/table-plan.js';

export interface DefineTablesRequest {
  readonly plans: readonly TablePlan[];
  readonly snapshot: Snapshot;
  /** In a transaction: probes for what it has already. Nothing is written. */
  readonly target: Client;
  readonly archive: () => Promise<SchemaArchive>;
  readonly contextOf: (side: 'source' | 'target') => FailureContext;
}

/** How the missing tables are made, under their real names. */
export interface TableDefinitions {
  readonly warnings: readonly SyncWarning[];
  /** Tables that are made in the switch: by {@link lateSql}. */
  readonly late: ReadonlySet<TablePlan>;
  /** Before the rows, then moved out of sight. */
  readonly createSql: string;
  /** In the switch, when all else is in its place. */
  readonly lateSql: string;
  /** When the rows are in their place. */
  readonly finishSql: string;
}

export const NOTHING_TO_DEFINE: TableDefinitions = {
  warnings: [],
  late: new Set(),
  createSql: '',
  lateSql: '',
  finishSql: '',
};

/** Takes the plans' missing tables, and the types, sequences, functions … they need, from the source's definition. */
export async function defineTables(request: DefineTablesRequest): Promise<TableDefinitions> {
  const { plans, snapshot, target, contextOf } = request;
  const missing = plans.filter((plan) => plan.target === undefined);
  if (missing.length === 0) return NOTHING_TO_DEFINE;
  const skipped = await skippedForeignKeys(request, missing);
  const objects = await neededObjects(request, missing);
  const wanted = objects.filter(({ oid }) => !skipped.has(oid));
  const closureOf = (some: readonly TablePlan[]) => closure(request, some);
  const late = await guard(contextOf('target'), () =>
    lateTables({ source: snapshot.client, target, missing, needed: objects, closureOf }),
  );
  const archive = await request.archive();
  const choose = (some: readonly NeededObject[]) => chooseEntries(archive.entries, some);
  const sql = (sections: readonly ('pre-data' | 'post-data')[], entries: readonly string[]) =>
    entries.length === 0 ? Promise.resolve('') : archive.sql(sections, entries);
  const early = choose(wanted.filter(late.isEarly)).creating;
  const rest = choose(wanted.filter((object) => !late.isEarly(object))).creating;
  const indexes = await sql(['post-data'], rest);
  return {
    warnings: [...skipped.values()].map((tableIndex) => ({ code: 'foreign_key_skipped', tableIndex })),
    late: late.plans,
    createSql: await sql(['pre-data', 'post-data'], early),
    lateSql: await sql(['pre-data'], rest),
    finishSql: `${indexes}\n${await sql(['post-data'], choose(wanted).finishing)}`,
  };
}

/** Foreign keys to tables that will not be there, oid → index of their table. */
async function skippedForeignKeys(
  { plans, snapshot, target, contextOf }: DefineTablesRequest,
  missing: readonly TablePlan[],
): Promise<ReadonlyMap<string, number>> {
  const indexOf = new Map(missing.map((plan) => [plan.source.oid, plan.index]));
  const keys = await guard(contextOf('source'), () =>
    snapshot.client.query<{
      oid: string;
      table: string;
      referenced_schema: string;
      referenced_table: string;
    }>(FOREIGN_KEYS_ELSEWHERE, [[...indexOf.keys()], plans.map(({ source }) => source.oid)]),
  );
  const listed = keys.rows.map(({ referenced_schema: schema, referenced_table: table }) =>
    quoteTable({ schema, table }),
  );
  const found = await guard(contextOf('target'), () =>
    target.query<{ there: boolean }>(
      'SELECT pg_catalog.to_regclass(name) IS NOT NULL AS there FROM pg_catalog.unnest($1::text[]) WITH ORDINALITY AS n (name, nr) ORDER BY nr',
      [listed],
    ),
  );
  const skipped = new Map<string, number>();
  for (const [i, key] of keys.rows.entries()) {
    if (found.rows[i]?.there !== true) skipped.set(key.oid, indexOf.get(key.table) ?? 0);
  }
  return skipped;
}

/** The closure of the tables' definitions, without what the target has already. */
async function neededObjects(
  request: DefineTablesRequest,
  missing: readonly TablePlan[],
): Promise<readonly NeededObject[]> {
  const objects = await closure(request, missing);
  const probed = objects.filter((object) => !object.is_part);
  const known = await guard(request.contextOf('target'), () => findObjects(request.target, probed));
  return objects.filter((object) => !known.has(object));
}

async function closure(
  { snapshot, contextOf }: DefineTablesRequest,
  plans: readonly TablePlan[],
): Promise<readonly ClosureRow[]> {
  const { rows } = await guard(contextOf('source'), () =>
    snapshot.client.query<ClosureRow>(DEFINITION_CLOSURE, [plans.map(({ source }) => source.oid)]),
  );
  return rows;
}

interface ClosureRow extends CatalogObject {
  is_part: boolean;
  type: string;
  names: string[];
  args: string[];
}
