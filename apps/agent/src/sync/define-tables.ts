import type { Client } from '../postgres/session.js';
import { chooseEntries, type CatalogObject } from '../postgres/choose-entries.js';
import {
  DEFINITION_CLOSURE,
  FOREIGN_KEYS_ELSEWHERE,
  UNREADABLE_RELATIONS,
} from '../postgres/definition-closure.sql.js';
import { guard } from '../postgres/guard.js';
import type { PgTools } from '../postgres/pg-tools.js';
import { quoteTable } from '../postgres/quote.js';
import { dumpSchema, type SchemaArchive } from '../postgres/schema-archive.js';
import type { FailureContext } from '../postgres/server-failure.js';
import type { ConnectionTarget } from '../policy/connection-target.js';
import type { SyncWarning } from './job-reporter.js';
import type { Snapshot } from './snapshot-holder.js';
import { SyncJobError } from './sync-job-error.js';
import type { TablePlan } from './table-plan.js';

export interface DefineTablesRequest {
  readonly plans: readonly TablePlan[];
  readonly snapshot: Snapshot;
  readonly source: ConnectionTarget;
  /** In a transaction: probes for what it has already. Nothing is written. */
  readonly target: Client;
  readonly tools: PgTools;
  readonly signal: AbortSignal;
  readonly contextOf: (side: 'source' | 'target') => FailureContext;
}

/** How the missing tables are made, under their real names. */
export interface TableDefinitions {
  readonly warnings: readonly SyncWarning[];
  /** Before the rows. */
  readonly createSql: string;
  /** When the rows are in. */
  readonly finishSql: string;
}

/** Takes the plans' missing tables, and the types, sequences, functions … they need, from the source's definition. */
export async function defineTables(request: DefineTablesRequest): Promise<TableDefinitions> {
  const missing = request.plans.filter(({ target }) => target === undefined);
  if (missing.length === 0) return { warnings: [], createSql: '', finishSql: '' };
  const skipped = await skippedForeignKeys(request, missing);
  const objects = await neededObjects(request, missing);
  const wanted = objects.filter(({ oid }) => !skipped.has(oid));
  const archive = await dump(request);
  try {
    const { creating, finishing } = chooseEntries(archive.entries, wanted);
    return {
      warnings: [...skipped.values()].map((tableIndex) => ({ code: 'foreign_key_skipped', tableIndex })),
      createSql: await archive.sql(['pre-data', 'post-data'], creating),
      finishSql: finishing.length === 0 ? '' : await archive.sql(['post-data'], finishing),
    };
  } finally {
    await archive.remove();
  }
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
  const skipped = new Map<string, number>();
  for (const key of keys.rows) {
    const name = quoteTable({ schema: key.referenced_schema, table: key.referenced_table });
    const found = await guard(contextOf('target'), () =>
      target.query<{ there: boolean }>('SELECT pg_catalog.to_regclass($1) IS NOT NULL AS there', [name]),
    );
    if (found.rows[0]?.there !== true) skipped.set(key.oid, indexOf.get(key.table) ?? 0);
  }
  return skipped;
}

/** The closure of the tables' definitions, without what the target has already. */
async function neededObjects(
  { snapshot, target, contextOf }: DefineTablesRequest,
  missing: readonly TablePlan[],
): Promise<readonly CatalogObject[]> {
  const { rows } = await guard(contextOf('source'), () =>
    snapshot.client.query<
      CatalogObject & { is_part: boolean; type: string; names: string[]; args: string[] }
    >(DEFINITION_CLOSURE, [missing.map(({ source }) => source.oid)]),
  );
  const needed: CatalogObject[] = [];
  for (const row of rows) {
    if (row.is_part || !(await exists(target, row))) needed.push({ classid: row.classid, oid: row.oid });
  }
  return needed;
}

/** pg_get_object_address finds any kind of object by name, and raises when there is none. */
async function exists(
  target: Client,
  { type, names, args }: { type: string; names: string[]; args: string[] },
): Promise<boolean> {
  await target.query('SAVEPOINT probe');
  try {
    await target.query('SELECT pg_catalog.pg_get_object_address($1, $2, $3)', [type, names, args]);
    await target.query('RELEASE SAVEPOINT probe');
    return true;
  } catch {
    // not there; a broken connection shows in the next statement
    await target.query('ROLLBACK TO SAVEPOINT probe');
    return false;
  }
}

async function dump(request: DefineTablesRequest): Promise<SchemaArchive> {
  const { snapshot, tools, source, signal, contextOf } = request;
  const unreadable = await guard(contextOf('source'), () =>
    snapshot.client.query<{ schema: string; relation: string }>(UNREADABLE_RELATIONS),
  );
  const excludedTables = unreadable.rows.map(({ schema, relation }) =>
    quoteTable({ schema, table: relation }),
  );
  try {
    return await dumpSchema({ tools, source, snapshotId: snapshot.id, excludedTables, signal });
  } catch (cause) {
    const stderr = String((cause as { stderr?: unknown }).stderr ?? '');
    const code = stderr.includes('permission denied') ? 'permission_denied' : 'create_failed';
    throw new SyncJobError({ code, side: 'source' }, { cause });
  }
}
