import { describeTable } from '../postgres/describe-table.js';
import { guard } from '../postgres/guard.js';
import { refusePooler } from '../postgres/refuse-pooler.js';
import { isSameDatabase, readServerIdentity, type ServerIdentity } from '../postgres/server-identity.js';
import type { FailureContext } from '../postgres/server-failure.js';
import type { Session } from '../postgres/session.js';
import { compareColumns } from './compare-columns.js';
import type { FailureContexts } from './failure-contexts.js';
import { listTables } from './list-tables.js';
import { planColumns } from './plan-columns.js';
import type { Snapshot } from './snapshot-holder.js';
import type { SyncJobCommand } from './sync-job-command.js';
import { SyncJobError } from './sync-job-error.js';
import type { SyncPolicy } from './sync-policy.js';
import type { TablePlan } from './table-plan.js';

const OLDEST_SERVER = 14;

/** @returns the source's identity @throws SyncJobError pooler_unsupported, server_too_old, same_database */
export async function checkServers(
  source: Session,
  target: Session,
  contexts: FailureContexts,
): Promise<ServerIdentity> {
  const [ofSource, ofTarget] = await Promise.all(
    [source, target].map(async (session) => {
      const { client, side } = session;
      await guard(contexts.on(side), () => refusePooler(session));
      const identity = await guard(contexts.on(side), () => readServerIdentity(client));
      if (identity.majorVersion < OLDEST_SERVER) throw new SyncJobError({ code: 'server_too_old', side });
      return identity;
    }),
  );
  if (ofSource === undefined || ofTarget === undefined) throw new Error('two servers were asked');
  if (isSameDatabase(ofSource, ofTarget)) throw new SyncJobError({ code: 'same_database' });
  return ofSource;
}

/** A job keeps what it has not shown yet in a schema of its own. @throws SyncJobError permission_denied */
export async function requireStagingRight({ client }: Session, context: FailureContext): Promise<void> {
  const { rows } = await guard(context, () =>
    client.query<{ granted: boolean }>(
      "SELECT has_database_privilege(pg_catalog.current_database(), 'CREATE') AS granted",
    ),
  );
  if (rows[0]?.granted === true) return;
  throw new SyncJobError(
    { code: 'permission_denied', side: 'target' },
    { cause: new Error('the role needs CREATE on the target database, for the staging schema') },
  );
}

/**
 * Every check that needs the catalogs and no row.
 * @throws SyncJobError table_not_found, column_not_found, column_unlisted, column_mismatch, rule_invalid, policy_denied
 */
export async function planTables(
  command: SyncJobCommand,
  snapshot: Snapshot,
  target: Session,
  contexts: FailureContexts,
  policy: SyncPolicy,
): Promise<readonly TablePlan[]> {
  const plans: TablePlan[] = [];
  for (const { index, name } of listTables(command)) {
    const rules = command.tables[index];
    if (rules === undefined) continue;
    const source = await guard(contexts.on('source', index), () => describeTable(snapshot.client, name));
    if (source === undefined)
      throw new SyncJobError({ code: 'table_not_found', side: 'source', tableIndex: index });
    const onTarget = await guard(contexts.on('target', index), () => describeTable(target.client, name));
    const columnIndex = new Map(rules.columns.map((column, i) => [column.name, i]));
    const columns = planColumns({
      tableIndex: index,
      rules,
      unlisted: rules.unlistedColumns ?? command.unlistedColumns,
      source,
      refusesPreserve: (column) => policy.refusesPreserve(name.schema, name.table, column),
    });
    if (onTarget !== undefined) compareColumns(index, source, onTarget, columnIndex);
    plans.push({ index, name, source, target: onTarget, columns, columnIndex });
  }
  refusePartitionsBesideParents(plans);
  return plans;
}

/** A partition's rows come with its parent: listed as well, they would be copied twice. */
function refusePartitionsBesideParents(plans: readonly TablePlan[]): void {
  const listed = new Set(plans.map(({ source }) => source.oid));
  const twice = plans.find(({ source }) => source.partitionOf.some((oid) => listed.has(oid)));
  if (twice === undefined) return;
  throw new SyncJobError(
    { code: 'rule_invalid', tableIndex: twice.index },
    { cause: new Error('the table is a partition of another listed table') },
  );
}
