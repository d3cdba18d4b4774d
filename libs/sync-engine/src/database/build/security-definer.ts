import type { SyncJobCommand, SyncWarning } from '@understudy/sync-job';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import type { LocatedClient } from '../../session/located-client.js';

/**
 * Reports the SECURITY DEFINER functions of the source, unless the job keeps them. They will run with the rights of their
 * caller, because such a function could give each caller the rights of the target's owner.
 * @returns a warning with their number
 */
export async function reportSecurityDefiner(
  { securityDefiner = 'invoker' }: SyncJobCommand,
  source: LocatedClient,
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): Promise<readonly SyncWarning[]> {
  if (securityDefiner === 'keep') return [];
  const { rows } = await source.query<{ identity: string }>(SECURITY_DEFINER_FUNCTIONS);
  if (rows.length === 0) return [];
  logNames(environment, { about: 'made_invoker', objects: rows.map(({ identity }) => identity) });
  return [{ code: 'security_definer_removed', count: rows.length }];
}

/** Lists the SECURITY DEFINER functions of a database, without those of extensions. */
const SECURITY_DEFINER_FUNCTIONS = `
  SELECT i.identity
    FROM pg_catalog.pg_proc p CROSS JOIN LATERAL pg_catalog.pg_identify_object('pg_catalog.pg_proc'::regclass, p.oid, 0) i
   WHERE p.prosecdef AND p.oid >= 16384
     AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                      WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
   ORDER BY i.identity
`;
