import type { SyncJobCommand, SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import type { LocatedClient } from '../../session/located-client.js';

/**
 * Makes the functions of the new database run with the rights of their caller, unless the job keeps those of the owner. A
 * function of the source could otherwise give each caller the rights of the target's owner.
 * @returns a warning with the number of the functions that are SECURITY DEFINER on the source
 */
export async function removeSecurityDefiner(
  { securityDefiner = 'invoker' }: SyncJobCommand,
  { source, target }: Readonly<Record<'source' | 'target', LocatedClient>>,
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): Promise<readonly SyncWarning[]> {
  if (securityDefiner === 'keep') return [];
  const { rows: functions } = await source.query<{ identity: string }>(DEFINERS);
  if (functions.length === 0) return [];
  const { rows } = await target.query<{ identity: string }>(DEFINERS);
  for (const { identity } of rows) await target.query(`ALTER ROUTINE ${identity} SECURITY INVOKER`);
  logNames(environment, { about: 'made_invoker', objects: functions.map(({ identity }) => identity) });
  return [{ code: 'security_definer_removed', count: functions.length }];
}

const DEFINERS = `
  SELECT i.identity
    FROM pg_catalog.pg_proc p CROSS JOIN LATERAL pg_catalog.pg_identify_object('pg_catalog.pg_proc'::regclass, p.oid, 0) i
   WHERE p.prosecdef AND p.oid >= 16384
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                      WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
   ORDER BY i.identity
`;
