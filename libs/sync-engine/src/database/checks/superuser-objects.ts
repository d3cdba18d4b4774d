import { type Client, sqlNames } from '@understudy/postgres';
import type { DatabaseSide, NamedObjectKind, SyncJobCommand } from '@understudy/sync-job';
import { ProblemList } from '../../plan/problems/problem-list.js';
import { EXTENSIONS, EXTENSIONS_NOT_CREATABLE, SUPERUSER_OBJECTS } from './superuser-objects.sql.js';

/**
 * Refuses a source with objects that the second login cannot create, because only a superuser can. Examples are
 * functions in C, base types, operator classes and event triggers. An extension must be available and trusted.
 * @param others the addresses of objects that the job leaves out, or that the new database has already
 * @param target a session of the second login in the new database. It has already what its template has.
 * @throws SyncJobError superuser_objects with all of them
 */
export async function refuseSuperuserObjects(
  { publications = 'none' }: SyncJobCommand,
  { source, target }: Readonly<Record<DatabaseSide, Client>>,
  others: ReadonlySet<string>,
): Promise<void> {
  const isCreated = ({ address }: { readonly address: string }) => !others.has(address);
  const objects = await source.query<SuperuserObject>(SUPERUSER_OBJECTS);
  const extensions = await source.query<{ name: string; address: string }>(EXTENSIONS);
  const lacking = await target.query<{ name: string }>(EXTENSIONS_NOT_CREATABLE, [
    extensions.rows.filter(isCreated).map(({ name }) => name),
  ]);
  const problems = new ProblemList();
  const add = (kind: NamedObjectKind, schema: string | null, name: string) => {
    const object = { kind, ...sqlNames({ schema: schema ?? undefined, name }) };
    problems.add({ code: 'superuser_objects', side: 'source', object });
  };
  for (const { name } of lacking.rows) add('extension', null, name);
  for (const { kind, schema, name } of objects.rows.filter(isCreated))
    if (kind !== 'publication' || publications === 'source') add(kind, schema, name);
  problems.throwIfAny();
}

interface SuperuserObject {
  readonly kind: NamedObjectKind;
  readonly schema: string | null;
  readonly name: string;
  /** The oids of the catalog and of the object. */
  readonly address: string;
}
