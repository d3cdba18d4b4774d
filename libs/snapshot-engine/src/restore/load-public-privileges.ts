import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listEntries } from '../create/dump-database.js';
import { loadArchive, type LoadRequest } from './load-archive.js';

/**
 * Loads the privileges on the schema `public`, before the objects of the snapshot. pg_restore loads all privileges
 * last. Since PostgreSQL 15, only the owner of a database may create objects in `public`. Without these privileges, no
 * other role could become the owner of an object there, unless a superuser makes it the owner. Loading the privileges
 * twice has no effect.
 * @throws SnapshotError
 */
export async function loadPublicPrivileges(request: LoadRequest): Promise<void> {
  const { program, folder, dump, entries, signal } = request;
  const lines =
    entries === undefined
      ? await listEntries({ program, folder: dump, signal })
      : (await readFile(entries, 'utf8')).split('\n');
  const privileges = lines.filter((line) => PUBLIC_PRIVILEGES.test(line));
  if (privileges.length === 0) return;
  const list = join(folder, 'public-privileges.list');
  await writeFile(list, privileges.join('\n'));
  await loadArchive({ ...request, entries: list, jobs: 1, onLine: () => undefined });
}

/** An entry of pg_restore's list: `<id>; <catalog> <object> ACL - SCHEMA public <owner>`. */
const PUBLIC_PRIVILEGES = /^\d+; \d+ \d+ ACL - SCHEMA public /;
