import { spawn } from 'node:child_process';
import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import type { Client } from 'pg';
import {
  binaryEnvironment,
  LocalSystemError,
  type PostgresBinaries,
  withClient,
} from '@understudy/local-system';
import { ScriptFilter } from './script-filter.js';

export interface LoadRequest {
  /** URL of a role that may create databases, without a database name. The role owns what the script creates. */
  readonly databasesUrl: string;
  readonly database: string;
  /** Absolute path. */
  readonly file: string;
  readonly binaries: PostgresBinaries;
  /** True to drop an existing database of that name first. */
  readonly replace: boolean;
}

/**
 * Creates a database and runs a psql script in it, even if the script names another database. If a statement
 * fails, the database is dropped again.
 * @throws LocalSystemError with the error output of psql
 */
export async function loadScript(request: LoadRequest): Promise<void> {
  checkScript(request.file);
  await makeDatabase(request);
  try {
    await runScript(request);
  } catch (error) {
    await onServer(request.databasesUrl, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(request.database)} WITH (FORCE)`),
    );
    throw error;
  }
}

function checkScript(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) throw new LocalSystemError('load.failed', `the file ${file} does not exist`);
  if (!stat.isFile()) throw new LocalSystemError('load.failed', `expected a file, but ${file} is none`);
  const head = Buffer.alloc(5);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, head);
  closeSync(descriptor);
  if (head.toString('latin1') === 'PGDMP')
    throw new LocalSystemError(
      'load.failed',
      `expected a psql script, but ${file} is an archive of pg_dump`,
      'convert it to a script: pg_restore -f script.sql',
    );
  if (head.subarray(0, 4).includes(0) || (head[0] === 0xff && head[1] === 0xfe))
    throw new LocalSystemError('load.failed', `expected text in UTF-8, but ${file} is none`);
}

async function makeDatabase({ databasesUrl, database, replace }: LoadRequest): Promise<void> {
  await onServer(databasesUrl, async (client) => {
    const name = client.escapeIdentifier(database);
    if (replace) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    try {
      await client.query(`CREATE DATABASE ${name}`);
    } catch (cause) {
      if ((cause as { code?: string }).code !== '42P04') throw cause;
      const hint = 'use --replace to drop it first, or load into another name';
      throw new LocalSystemError('load.failed', `the database ${database} already exists`, hint, { cause });
    }
  });
}

async function runScript({ databasesUrl, database, file, binaries }: LoadRequest): Promise<void> {
  const psql = spawn(
    join(binaries.binFolder, 'psql'),
    ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', databaseUrl(databasesUrl, database, { password: false })],
    {
      cwd: dirname(file), // a script may include files of its own folder
      env: {
        ...binaryEnvironment(binaries),
        PGPASSWORD: passwordOf(databasesUrl),
        PGCLIENTENCODING: 'UTF8',
        PGOPTIONS: '-c client_min_messages=warning',
      },
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  let errors = '';
  psql.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(0, 20_000)));
  psql.stdin.on('error', () => undefined); // psql has stopped reading, and its exit code contains the reason
  const ended = new Promise<number | null>((resolve, reject) => {
    psql.once('error', reject);
    psql.once('close', resolve);
  });
  const filter = new ScriptFilter();
  // Latin-1 maps each byte to one character and back, so the bytes of the script are unchanged in any
  // encoding.
  let first = true;
  for await (const piece of createInterface({
    input: createReadStream(file, 'latin1'),
    crlfDelay: Infinity,
  })) {
    if (psql.exitCode !== null || !psql.stdin.writable) break;
    const line = first ? piece.replace(/^\u00ef\u00bb\u00bf/, '') : piece; // a byte order mark is not SQL
    first = false;
    if (!psql.stdin.write(filter.line(`${line}\n`), 'latin1'))
      await Promise.race([once(psql.stdin, 'drain'), ended]);
  }
  psql.stdin.end();
  const code = await ended;
  if (code === 0) return;
  throw new LocalSystemError(
    'load.failed',
    `${file} failed in psql (exit code ${code ?? 'none'}):\n${errors.trim()}`,
    /permission denied|must be/.test(errors)
      ? 'the role that runs the script is not a superuser; remove this statement, or run it with psql as the superuser that "npm run stack -- up" prints'
      : undefined,
  );
}

function passwordOf(url: string): string {
  return decodeURIComponent(new URL(url).password);
}

function onServer<T>(databasesUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  return withClient(databaseUrl(databasesUrl, 'postgres'), work);
}

/**
 * Returns the URL of a database.
 * @param password false omits the password, for a command line that other users can see
 */
export function databaseUrl(databasesUrl: string, database: string, { password = true } = {}): string {
  const url = new URL(databasesUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  if (!password) url.password = '';
  return url.href;
}
