import { findSwapBlockers, type ServerSession } from '@understudy/database-swap';
import type { Client, ConnectionTarget } from '@understudy/postgres';
import { type DatabaseSide, type SyncJobCommand, SyncJobError, type SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import { findLeftOut, namedObject, namesOfLeftOut, namingWarnings } from '../../plan/preflight/left-out.js';
import type { ExcludedObject } from '../../plan/exclude/excluded-objects.js';
import { ProblemList } from '../../plan/problems/problem-list.js';
import type { LocatedClient } from '../../session/located-client.js';

/**
 * Checks that the policy permits the job to replace its target in this way. Does not connect.
 * @returns the second login
 * @throws SyncJobError policy_denied, source_code_refused, build_login_missing
 */
export function buildLoginOf(
  { target, securityDefiner, endSessions, largeObjects }: SyncJobCommand,
  { policy }: Pick<SyncEnvironment, 'policy'>,
): ConnectionTarget {
  const { allowSourceCode, allowSecurityDefiner, allowEndSessions, allowLargeObjects } = policy.rules;
  policy.resolveDatabase(target, 'replace');
  if (allowSourceCode === false) throw new SyncJobError({ code: 'source_code_refused' });
  const isDenied =
    (securityDefiner === 'keep' && !allowSecurityDefiner) ||
    (largeObjects === 'copy' && !allowLargeObjects) ||
    (endSessions === true && !allowEndSessions);
  if (isDenied) throw new SyncJobError({ code: 'policy_denied', side: 'target' });
  const login = policy.resolveBuildLogin?.(target);
  if (login === undefined) throw new SyncJobError({ code: 'build_login_missing', side: 'target' });
  return login;
}

/**
 * Refuses a target whose server is older than that of the source. pg_dump writes definitions for servers from the major
 * version of the source, and an older one can refuse them after all rows are copied.
 * @param clients sessions in any databases of the servers
 * @throws SyncJobError target_server_older
 */
export async function refuseOlderServer(
  clients: Readonly<Record<DatabaseSide, Client>>,
  { log }: Pick<SyncEnvironment, 'log'>,
): Promise<void> {
  const [source, target] = [await majorVersion(clients.source), await majorVersion(clients.target)];
  if (target >= source) return;
  log.warn({ source, target }, 'the server of the target is older than that of the source');
  throw new SyncJobError({ code: 'target_server_older', side: 'target' });
}

async function majorVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(MAJOR_VERSION);
  return rows[0]?.version ?? 0;
}

const MAJOR_VERSION = "SELECT pg_catalog.current_setting('server_version_num')::int4 / 10000 AS version";

/** Names what will be in the way of the swap. @throws SyncJobError replace_denied if it does not go away by itself */
export async function refuseBlocked(
  session: ServerSession,
  agent: ConnectionTarget,
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): Promise<void> {
  const blockers = await findSwapBlockers(session, agent);
  if (blockers.length === 0) return;
  logNames(environment, { about: 'in_the_way', blockers });
  if (blockers.some(({ kind }) => LASTING.has(kind)))
    throw new SyncJobError({ code: 'replace_denied', side: 'target' });
}

/** The blockers that an administrator must remove. Sessions and transactions may end before the swap. */
const LASTING: ReadonlySet<string> = new Set([
  'no_createdb',
  'not_owner',
  'no_maintenance_database',
  'template',
]);

/**
 * Lists the objects that only the replaced database has, because they will be gone.
 * @param excluded the objects of the source that the new database does not get
 * @returns warnings that name them, for a dry run
 * @throws SyncJobError target_only_objects with all of them, unless the job permits this
 */
export async function refuseTargetOnly(
  { dropTargetOnly = false }: SyncJobCommand,
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
  excluded: readonly ExcludedObject[],
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): Promise<readonly SyncWarning[]> {
  const leftOut = new Set(excluded.map(({ address }) => address));
  const objects = await findLeftOut({ source: target, target: source }, leftOut);
  if (objects.length === 0) return [];
  logNames(environment, { about: 'target_only', objects: namesOfLeftOut(objects) });
  const names = objects.map(namedObject);
  if (dropTargetOnly) return namingWarnings('target_only_dropped', names);
  const problems = new ProblemList();
  for (const object of names) problems.add({ code: 'target_only_objects', side: 'target', object });
  problems.throwIfAny();
  return [];
}
