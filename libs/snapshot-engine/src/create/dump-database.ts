import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { quoteTable } from '@understudy/postgres';
import { SnapshotError } from '../job/snapshot-failure.js';
import { programFailure, runPgProgram } from '../postgres/run-pg-program.js';

const run = promisify(execFile);

export interface DumpRequest {
  /** Path of pg_dump. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Folder that pg_dump creates. It must not exist before. */
  readonly folder: string;
  readonly snapshotId: string;
  readonly jobs: number;
  readonly withoutRows: readonly DumpedTable[];
  readonly withoutTables: readonly DumpedTable[];
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

interface DumpedTable {
  readonly schema: string;
  readonly name: string;
}

/**
 * Dumps a database into a folder, one file per table. Subscriptions are excluded. A restored subscription
 * would subscribe to the same publisher, and the connection string of a subscription contains a password.
 * @throws SnapshotError
 */
export async function dumpDatabase(request: DumpRequest): Promise<void> {
  const { program, environment, folder, snapshotId, jobs, withoutRows, withoutTables, signal, onLine } =
    request;
  const flags = ['--format=directory', `--jobs=${jobs}`, `--file=${folder}`, `--snapshot=${snapshotId}`];
  const manner = [
    `--compress=${GZIP_LEVEL}`,
    '--no-sync',
    '--no-subscriptions',
    '--no-password',
    '--verbose',
  ];
  const pattern = ({ schema, name }: DumpedTable) => quoteTable({ schema, table: name });
  const left = [
    ...withoutRows.map((table) => `--exclude-table-data=${pattern(table)}`),
    ...withoutTables.map((table) => `--exclude-table=${pattern(table)}`),
  ];
  try {
    await runPgProgram({
      path: program,
      args: [...flags, ...manner, `--lock-wait-timeout=${LOCK_WAIT_MS}`, ...left],
      environment,
      signal,
      onLine,
    });
  } catch (error) {
    throw programFailure(error, 'source', 'database_error');
  }
}

/** Lists the entries of a dump. @returns the lines of `pg_restore --list --verbose` */
export async function listEntries(request: {
  readonly program: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}): Promise<readonly string[]> {
  const { program, folder, signal } = request;
  const { stdout } = await run(program, ['--list', '--verbose', folder], {
    signal,
    maxBuffer: MAX_LIST_BYTES,
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    // pg_restore connects to no server here, so the reason is on this machine.
    throw new SnapshotError({ code: 'pg_dump_failed' }, { cause });
  });
  return stdout.split('\n');
}

/**
 * Compression level of the dump. Every pg_restore can read gzip. Level 1 takes a third of the default level's
 * time and a seventh more space (docs/adr/0023).
 */
const GZIP_LEVEL = 1;
const LOCK_WAIT_MS = 60_000;
const MAX_LIST_BYTES = 512 * 1024 * 1024;
