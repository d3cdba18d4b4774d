import { type Client, sqlNames } from '@understudy/postgres';
import type { DatabaseSide, SyncWarning } from '@understudy/sync-job';
import { namingWarnings } from '../../plan/preflight/left-out.js';
import { ProblemList } from '../../plan/problems/problem-list.js';
import { FIRST_USERS_OID } from './superuser-objects.sql.js';

export interface ExtensionsToCheck {
  /** The addresses of the objects that the job leaves out. */
  readonly leftOut: ReadonlySet<string>;
  /** Whether the session of the target is in the new database or in its template, and not in any other database. */
  readonly isPrepared: boolean;
}

/**
 * Refuses extensions that the server of the target does not have, or that only a superuser can create there. CREATE
 * EXTENSION creates the default version of that server.
 * @param clients a session on the source, and one in the new database, in its template or in any other database
 * @returns a warning for each extension that the new database has in another version
 * @throws SyncJobError extension_unavailable, superuser_objects with all of them
 */
export async function checkExtensions(
  { source, target }: Readonly<Record<DatabaseSide, Client>>,
  { leftOut, isPrepared }: ExtensionsToCheck,
): Promise<readonly SyncWarning[]> {
  const { rows } = await source.query<Extension>(EXTENSIONS);
  const wanted = rows.filter(({ address }) => !leftOut.has(address));
  const names = wanted.map(({ name }) => name);
  const { rows: found } = await target.query<ExtensionOnTarget>(EXTENSIONS_ON_TARGET, [names]);
  const problems = new ProblemList();
  const differing = wanted.flatMap(({ name, version }) => {
    const there = found.find((one) => one.name === name);
    const installed = isPrepared ? there?.installed : null;
    const created = installed ?? there?.available ?? null;
    const object = { kind: 'extension' as const, ...sqlNames({ name }) };
    if (created === null) problems.add({ code: 'extension_unavailable', side: 'target', object });
    else if (installed === null && there?.may_create !== true)
      problems.add({ code: 'superuser_objects', side: 'source', object });
    return created === null || created === version ? [] : [object];
  });
  problems.throwIfAny();
  return namingWarnings('extension_version_differs', differing);
}

interface Extension {
  readonly name: string;
  readonly version: string;
  /** The oids of the catalog and of the extension. */
  readonly address: string;
}

interface ExtensionOnTarget {
  readonly name: string;
  /** The version in the database of the session; null if the database does not have the extension. */
  readonly installed: string | null;
  /** The version that CREATE EXTENSION creates; null if the server does not have the extension. */
  readonly available: string | null;
  /** Whether a role that is no superuser can create it. */
  readonly may_create: boolean | null;
}

const EXTENSIONS = `
  SELECT e.extname AS name, e.extversion AS version, 'pg_catalog.pg_extension'::regclass::oid || ' ' || e.oid AS address
    FROM pg_catalog.pg_extension e WHERE e.oid >= ${FIRST_USERS_OID} ORDER BY e.extname
`;

/** $1: names of extensions. */
const EXTENSIONS_ON_TARGET = `
  SELECT w.name, e.extversion AS installed, a.default_version AS available, v.trusted OR NOT v.superuser AS may_create
    FROM pg_catalog.unnest($1::text[]) AS w (name)
    LEFT JOIN pg_catalog.pg_extension e ON e.extname = w.name
    LEFT JOIN pg_catalog.pg_available_extensions a ON a.name = w.name
    LEFT JOIN pg_catalog.pg_available_extension_versions v ON v.name = a.name AND v.version = a.default_version
`;
