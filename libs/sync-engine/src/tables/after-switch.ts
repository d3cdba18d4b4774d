import { errorDetail, EvaluationPaths, killSessions, quoteTable, type Client } from '@understudy/postgres';
import type { DatabaseSide, LeftOut, SyncJobResult, SyncWarning, TableName } from '@understudy/sync-job';
import { logNames } from '../local-names.js';
import { countByKind, dependentsLeftOut, findLeftOut, namesOfLeftOut } from '../plan/preflight/left-out.js';
import type { LocatedClient, LocatedSession } from '../session/located-client.js';
import { type LockRetry, untilUnlocked } from '../stage/switch/lock-retry.js';
import { KEEPS_OLD_STATISTICS } from '../stage/switch/renew-statistics.sql.js';
import { dependentViews, type DependentView } from './dependent-views.js';
import { lockRetry, type RunningJob } from '../attempt/running-job.js';

/**
 * Counts what the job left out, and refreshes materialized views. The tables are already replaced, so a failure
 * here is a warning. An attempt that finds the switch of an earlier attempt does all of this again, because the
 * earlier attempt may have ended before.
 */
export async function afterSwitch(
  job: RunningJob,
  { source, target }: Readonly<Record<DatabaseSide, LocatedSession>>,
  outcome: SyncJobResult,
): Promise<SyncJobResult> {
  const { signal } = job;
  // The switch cannot be interrupted, but a refresh can.
  const onAbort = () => void killSessions([target]);
  signal.addEventListener('abort', onAbort);
  try {
    const leftOut = await countLeftOut(job, source.client, target.client);
    // The transaction of the source's snapshot ends here, because a refresh can take long.
    await source.client.query('ROLLBACK').catch(() => undefined);
    const refreshed = await refreshViews(job, target.client);
    const warnings = [...outcome.warnings, ...leftOut.warnings, ...refreshed];
    return { ...outcome, warnings, ...(leftOut.counts === undefined ? {} : { leftOut: leftOut.counts }) };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

interface CountedLeftOut {
  readonly counts?: LeftOut;
  readonly warnings: readonly SyncWarning[];
}

async function countLeftOut(
  { command, environment }: RunningJob,
  source: LocatedClient,
  target: LocatedClient,
): Promise<CountedLeftOut> {
  try {
    const objects = await findLeftOut({ source, target });
    if (objects.length > 0) logNames(environment, { about: 'left_out', objects: namesOfLeftOut(objects) });
    const warnings = await dependentsLeftOut(objects, command, source);
    return { counts: countByKind(objects), warnings };
  } catch (error) {
    environment.log.warn({ detail: errorDetail(error) }, 'what the job left out could not be counted');
    return { warnings: [{ code: 'left_out_unknown' }] };
  }
}

/** Refreshes the dependent views if the job asks for it. Never rejects. */
async function refreshViews(job: RunningJob, target: LocatedClient): Promise<readonly SyncWarning[]> {
  const { command, environment } = job;
  try {
    const views = await dependentViews(target, command);
    const asked = command.refreshMaterializedViews === true;
    const refusing = asked ? views.filter(({ mayRefresh }) => !mayRefresh) : views;
    const failed: DependentView[] = [];
    const keeping: DependentView[] = [];
    for (const view of asked ? views : []) {
      const isBehind = [...refusing, ...failed].some(({ node }) => view.uses.has(node));
      if (!view.mayRefresh) continue;
      if (isBehind || !(await isRefreshed(job, target, view))) failed.push(view);
      else if (await keepsStatistics(job, target, view)) keeping.push(view);
    }
    const remaining = views.filter((view) => refusing.includes(view) || failed.includes(view));
    logRemaining(job, remaining);
    return [
      ...viewWarning('materialized_views_stale', refusing.length),
      ...viewWarning('materialized_views_not_refreshed', failed.length),
      ...viewWarning('old_statistics_kept', keeping.length),
    ];
  } catch (error) {
    environment.log.warn(
      { detail: errorDetail(error) },
      'materialized views of the target could not be found',
    );
    return [{ code: 'materialized_views_not_refreshed' }];
  }
}

function logRemaining({ environment }: RunningJob, views: readonly DependentView[]): void {
  if (views.length === 0) return;
  logNames(environment, { about: 'not_refreshed', statements: views.map((view) => `${refreshSql(view)};`) });
}

/** Returns a warning about views of the target, or none for 0. */
export function viewWarning(
  code: 'materialized_views_stale' | 'materialized_views_not_refreshed' | 'old_statistics_kept',
  count: number,
): readonly SyncWarning[] {
  return count === 0 ? [] : [{ code, count }];
}

export function refreshSql(view: TableName): string {
  return `REFRESH MATERIALIZED VIEW ${quoteTable(view)}`;
}

async function isRefreshed(job: RunningJob, client: LocatedClient, view: DependentView): Promise<boolean> {
  const { environment, signal } = job;
  const { lockWaitMs = LOCK_WAIT_MS } = environment.copy;
  const retry: LockRetry = {
    ...lockRetry({ environment, signal, warnings: [] }),
    totalMs: Math.min(lockWaitMs, LOCK_WAIT_MS),
  };
  try {
    signal.throwIfAborted();
    const { allowSharedSchemas } = environment.policy.rules;
    const refresh = () =>
      refreshMaterializedView(client, view, { allowSharedSchemas, lockTryMs: retry.tryMs });
    await untilUnlocked(retry, refresh, () => Promise.resolve([]));
    return true;
  } catch (error) {
    environment.log.warn({ view: quoteTable(view), detail: errorDetail(error) }, 'a view was not refreshed');
    return false;
  }
}

/** Tests whether a refreshed view may keep statistics of its old rows, and logs the view's name if it does. */
async function keepsStatistics(
  { environment }: RunningJob,
  client: LocatedClient,
  view: DependentView,
): Promise<boolean> {
  const { rows } = await client.query<{ keeps: boolean }>(KEEPS_OLD_STATISTICS, [view.oid]);
  const keeps = rows[0]?.keeps !== false;
  if (keeps) environment.log.warn({ view: quoteTable(view) }, 'a view may keep old planner statistics');
  return keeps;
}

/**
 * Refreshes a view and its planner statistics in a transaction of its own. Uses the settings of the database and of
 * the role, and the search path of the view's owner. From PostgreSQL 17 on, the server replaces the path by its own.
 */
async function refreshMaterializedView(
  client: Client,
  view: DependentView,
  { allowSharedSchemas, lockTryMs }: { readonly allowSharedSchemas: boolean; readonly lockTryMs: number },
): Promise<void> {
  const paths = await EvaluationPaths.read(client, [view.oid], allowSharedSchemas);
  await client.query(
    `BEGIN READ WRITE; ${OWN_SETTINGS}; SET LOCAL lock_timeout = ${lockTryMs}; SET LOCAL statement_timeout = ${REFRESH_MS}; ${paths.sqlFor(view.oid)}`,
  );
  try {
    await client.query(`${refreshSql(view)}; ANALYZE ${quoteTable(view)}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The settings of the engine's sessions that change the values of a query. */
const OWN_SETTINGS = [
  ...['datestyle', 'intervalstyle', 'extra_float_digits', 'bytea_output', 'xmloption', 'lc_monetary'],
  ...['timezone', 'row_security'],
]
  .map((name) => `SET LOCAL ${name} TO DEFAULT`)
  .join('; ');

/** The longest time of one refresh. It ends a view that never returns. */
const REFRESH_MS = 3_600_000;
/** For how long the locks of one view are tried to get. */
const LOCK_WAIT_MS = 60_000;
