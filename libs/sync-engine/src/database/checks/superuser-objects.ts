import { type Client, sqlNames } from '@understudy/postgres';
import type { NamedObjectKind, SyncJobCommand } from '@understudy/sync-job';
import { ProblemList } from '../../plan/problems/problem-list.js';
import { SUPERUSER_OBJECTS } from './superuser-objects.sql.js';

/**
 * Refuses a source with objects that the second login cannot create, because only a superuser can. Examples are
 * functions in C, base types, operator classes and event triggers.
 * @param others the addresses of objects that the job leaves out, or that the new database has already
 * @throws SyncJobError superuser_objects with all of them
 */
export async function refuseSuperuserObjects(
  { publications = 'none' }: SyncJobCommand,
  source: Client,
  others: ReadonlySet<string>,
): Promise<void> {
  const objects = await source.query<SuperuserObject>(SUPERUSER_OBJECTS);
  const problems = new ProblemList();
  for (const { kind, schema, name, address } of objects.rows) {
    if (others.has(address) || (kind === 'publication' && publications !== 'source')) continue;
    const object = { kind, ...sqlNames({ schema: schema ?? undefined, name }) };
    problems.add({ code: 'superuser_objects', side: 'source', object });
  }
  problems.throwIfAny();
}

interface SuperuserObject {
  readonly kind: NamedObjectKind;
  readonly schema: string | null;
  readonly name: string;
  /** The oids of the catalog and of the object. */
  readonly address: string;
}
