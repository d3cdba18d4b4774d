import { sqlNames } from '@understudy/postgres';
import type { DatabaseSide, NamedObjectKind, SyncJobCommand } from '@understudy/sync-job';
import { ProblemList } from '../../plan/problems/problem-list.js';
import type { LocatedClient } from '../../session/located-client.js';
import { EXTENSIONS, EXTENSIONS_NOT_CREATABLE, SUPERUSER_OBJECTS } from './superuser-objects.sql.js';

/**
 * Refuses a source with objects that the second login cannot create, because only a superuser can. Examples are
 * functions in C, base types, operator classes and event triggers. An extension must be available and trusted.
 * @param target a session of the second login in the new database. It has an extension already if its template has it.
 * @throws SyncJobError superuser_objects with all of them
 */
export async function refuseSuperuserObjects(
  { publications = 'none' }: SyncJobCommand,
  { source, target }: Readonly<Record<DatabaseSide, LocatedClient>>,
): Promise<void> {
  const objects = await source.query<{ kind: NamedObjectKind; schema: string | null; name: string }>(
    SUPERUSER_OBJECTS,
  );
  const extensions = await source.query<{ name: string }>(EXTENSIONS);
  const lacking = await target.query<{ name: string }>(EXTENSIONS_NOT_CREATABLE, [
    extensions.rows.map(({ name }) => name),
  ]);
  const problems = new ProblemList();
  const add = (kind: NamedObjectKind, schema: string | null, name: string) => {
    const object = { kind, ...sqlNames({ schema: schema ?? undefined, name }) };
    problems.add({ code: 'superuser_objects', side: 'source', object });
  };
  for (const { name } of lacking.rows) add('extension', null, name);
  for (const { kind, schema, name } of objects.rows)
    if (kind !== 'publication' || publications === 'source') add(kind, schema, name);
  problems.throwIfAny();
}
