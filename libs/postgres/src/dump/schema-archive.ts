import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ConnectionTarget } from '../connection/connection-url.js';
import { libpqEnvironment } from '../connection/libpq-environment.js';
import type { PgTools } from './pg-tools.js';

const run = promisify(execFile);
const MAX_SQL_BYTES = 512 * 1024 * 1024;

/** Definitions of a database, made by pg_dump, from which chosen entries become SQL. */
export interface SchemaArchive {
  /** Lines of `pg_restore --list --verbose`. */
  readonly entries: readonly string[];
  /** SQL of the entries that belong to the sections, in the given order. */
  sql(sections: readonly ('pre-data' | 'post-data')[], entries: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

export interface SchemaArchiveRequest {
  readonly tools: PgTools;
  readonly database: ConnectionTarget;
  /** More of pg_dump's arguments: which relations, in which snapshot. It locks all that it is not told to leave out. */
  readonly selection: readonly string[];
  /** Owners and privileges come along. */
  readonly withRights?: boolean;
  readonly signal: AbortSignal;
}

/** Rejects with the error of the process; its `stderr` may quote definitions, never rows. */
export async function dumpSchema(request: SchemaArchiveRequest): Promise<SchemaArchive> {
  const { tools, database, selection, signal } = request;
  const rights = request.withRights === true ? [] : ['--no-owner', '--no-privileges'];
  const folder = await mkdtemp(join(tmpdir(), 'understudy-schema-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = join(folder, 'schema.dump');
    const environment = await libpqEnvironment(database, folder);
    const flags = ['--format=custom', '--schema-only', ...rights, '--no-tablespaces'];
    const more = ['--no-publications', '--no-subscriptions', '--no-security-labels', '--no-password'];
    await run(tools.dump, [...flags, ...more, `--file=${archive}`, ...selection], {
      env: environment,
      signal,
      maxBuffer: MAX_SQL_BYTES,
    });
    const list = await run(tools.restore, ['--list', '--verbose', archive], {
      signal,
      maxBuffer: MAX_SQL_BYTES,
    });
    return {
      entries: list.stdout.split('\n'),
      remove,
      async sql(sections, chosen) {
        const listFile = join(folder, 'entries.list');
        await writeFile(listFile, chosen.join('\n'));
        const flags = [...rights, '--no-tablespaces', '--file=-'];
        const { stdout } = await run(
          tools.restore,
          [...sections.map((section) => `--section=${section}`), `--use-list=${listFile}`, ...flags, archive],
          { signal, maxBuffer: MAX_SQL_BYTES },
        );
        return forOneSession(stdout);
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Newer releases frame their output with `\restrict`, which is for psql (CVE-2025-8714). The head switches time-outs off, which are ours. */
function forOneSession(sql: string): string {
  const start = sql.indexOf('\n-- Name: ');
  const head = sql.slice(0, start).replace(/^SET \w*_timeout = 0;$/gm, '');
  return (start < 0 ? sql : head + sql.slice(start)).replace(/^\\(un)?restrict .*$/gm, '');
}
