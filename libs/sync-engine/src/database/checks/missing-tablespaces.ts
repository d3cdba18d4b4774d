import { readRows, sqlNames } from '@understudy/postgres';
import type { DatabaseSide, SyncJobCommand } from '@understudy/sync-job';
import { ProblemList } from '../../plan/problems/problem-list.js';
import type { LocatedClient } from '../../session/located-client.js';

/**
 * Refuses a job that keeps the tablespaces of the source if the target's server lacks one, or if the second login may
 * not create objects in it.
 * @param login the name of the second login
 * @throws SyncJobError tablespace_missing with all of them
 */
export async function refuseMissingTablespaces(
  { tablespaces = 'none' }: SyncJobCommand,
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
  login: string,
): Promise<void> {
  if (tablespaces === 'none') return;
  const used = await readRows<{ name: string }>(source, USED);
  const { rows } = await target.query<{ name: string }>(MISSING, [used.map(({ name }) => name), login]);
  const problems = new ProblemList();
  for (const { name } of rows)
    problems.add({
      code: 'tablespace_missing',
      side: 'target',
      object: { kind: 'other', ...sqlNames({ name }) },
    });
  problems.throwIfAny();
}

/** A relation in the tablespace of its database has none of its own. */
const USED = `
  SELECT DISTINCT s.spcname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_tablespace s ON s.oid = c.reltablespace
   WHERE c.oid >= 16384 AND c.relkind IN ('r', 'p', 'm', 'i', 'I')
`;

/** $1: names of tablespaces, $2: the second login. */
const MISSING = `
  SELECT w.name FROM pg_catalog.unnest($1::text[]) AS w (name)
   WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_tablespace s
                      WHERE s.spcname = w.name AND pg_catalog.has_tablespace_privilege($2, s.oid, 'CREATE'))
   ORDER BY w.name
`;
