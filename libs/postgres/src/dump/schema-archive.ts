import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ConnectionTarget } from '../connection/connection-url.js';
import { libpqEnvironment } from '../connection/libpq-environment.js';
import { DatabaseError } from '../errors/database-error.js';
import { readEntries } from './choose-entries.js';
import { type SeparateSql, separateSql } from './entry-sql.js';
import type { PgTools } from './pg-tools.js';

const run = promisify(execFile);
const MAX_SQL_BYTES = 512 * 1024 * 1024;

/** An archive of a database's definitions, written by pg_dump. Converts selected entries to SQL. */
export interface SchemaArchive {
  /** The lines of `pg_restore --list --verbose`. */
  readonly entries: readonly string[];
  /**
   * Returns the SQL of the entries that belong to the sections, in the order of the entries.
   * @throws DatabaseError agent_disk_low, pg_dump_failed
   */
  sql(sections: readonly ('pre-data' | 'post-data')[], entries: readonly string[]): Promise<string>;
  /**
   * Returns the SQL of each entry of a section, in the order in which pg_restore runs the entries.
   * @param withTablespaces whether relations get the tablespaces of the source
   * @throws DatabaseError agent_disk_low, pg_dump_failed
   */
  separately(section: 'pre-data' | 'post-data', withTablespaces: boolean): Promise<SeparateSql>;
  remove(): Promise<void>;
}

export interface SchemaArchiveRequest {
  readonly tools: PgTools;
  readonly database: ConnectionTarget;
  /** The arguments of pg_dump for the relations and the snapshot. pg_dump locks every selected relation. */
  readonly selection: readonly string[];
  /** Whether to include owners and privileges. */
  readonly withRights?: boolean;
  /** Whether to include publications. */
  readonly withPublications?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Dumps the definitions of a database.
 * @throws DatabaseError agent_disk_low if this machine's disk is full · pg_dump_failed if this machine is the reason · the
 * error of pg_dump if the server is the reason. Its `stderr` may quote definitions. · the error of the signal
 */
export async function dumpSchema(request: SchemaArchiveRequest): Promise<SchemaArchive> {
  const { tools, database, selection, signal } = request;
  const rights = request.withRights === true ? [] : ['--no-owner', '--no-privileges'];
  const failedHere = async (cause: unknown): Promise<never> => {
    const code = (await isFull(tools.temporaryFolder)) ? 'agent_disk_low' : 'pg_dump_failed';
    throw new DatabaseError(code, 'source', { cause });
  };
  const folder = await mkdtemp(join(tools.temporaryFolder, 'understudy-schema-')).catch(failedHere);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'schema.dump');
    const environment = await libpqEnvironment(database, folder).catch(failedHere);
    // Node.js decodes the SQL as UTF-8, and the sessions that run it use this encoding, too. Patterns in
    // `selection` have it as well.
    const flags = ['--format=custom', '--schema-only', '--encoding=UTF8', ...rights, '--no-tablespaces'];
    const more = ['--no-subscriptions', '--no-security-labels', '--no-password'];
    const publications = request.withPublications === true ? [] : ['--no-publications'];
    await run(tools.dump, [...flags, ...more, ...publications, `--file=${archive}`, ...selection], {
      env: environment,
      signal,
      maxBuffer: MAX_SQL_BYTES,
    }).catch((error: unknown) => (isOfServer(error) || signal.aborted ? rethrow(error) : failedHere(error)));
    // pg_restore connects to no server, so each of its failures has its reason on this machine.
    const restore = (args: readonly string[]) =>
      run(tools.restore, args, { signal, maxBuffer: MAX_SQL_BYTES }).catch((error: unknown) =>
        signal.aborted ? rethrow(error) : failedHere(error),
      );
    const list = await restore(['--list', '--verbose', archive]);
    const entries = list.stdout.split('\n');
    const asSql = [...rights, '--no-tablespaces', '--file=-'];
    return {
      entries,
      remove,
      async sql(sections, chosen) {
        const listFile = join(folder, 'entries.list');
        await writeFile(listFile, chosen.join('\n')).catch(failedHere);
        const { stdout } = await restore([
          ...sections.map((section) => `--section=${section}`),
          ...[`--use-list=${listFile}`, ...asSql, archive],
        ]);
        return forOneSession(stdout);
      },
      async separately(section, withTablespaces) {
        const flags = [...rights, ...(withTablespaces ? [] : ['--no-tablespaces']), '--file=-'];
        const { stdout } = await restore([`--section=${section}`, '--verbose', ...flags, archive]);
        const { settings, ...separate } = separateSql(stdout, readEntries(entries));
        return { ...separate, settings: forOneSession(settings) };
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns true if pg_dump reported an error of the server, or of the connection to the server. */
function isOfServer(error: unknown): boolean {
  const { stderr } = error as { stderr?: unknown };
  return /ERROR: |FATAL: |connection|snapshot|query failed/.test(String(stderr ?? ''));
}

async function isFull(folder: string): Promise<boolean> {
  const free = await statfs(folder).catch(() => undefined);
  return free !== undefined && free.bavail * free.bsize < FULL_BYTES;
}

const FULL_BYTES = 1_000_000;

function rethrow(error: unknown): never {
  throw error;
}

/**
 * Removes the parts of the SQL that must not run in our session. These are the `\restrict` lines, which newer
 * releases of pg_dump write for psql (CVE-2025-8714), the settings that disable our time limits, and the search
 * path, which the caller chooses.
 */
function forOneSession(sql: string): string {
  const start = sql.indexOf('\n-- Name: ');
  const head = sql
    .slice(0, start < 0 ? undefined : start)
    .replace(/^SET \w*_timeout = 0;$/gm, '')
    .replace(/^SELECT pg_catalog\.set_config\('search_path', '', false\);$/gm, '');
  return (start < 0 ? head : head + sql.slice(start)).replace(/^\\(un)?restrict .*$/gm, '');
}
