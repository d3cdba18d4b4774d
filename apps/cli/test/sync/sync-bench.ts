import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Finished, Workbench } from '../run-cli.js';

/** A database server, and a folder in which tests run the built command to copy its databases. */
export class SyncBench {
  readonly folder = new Workbench();

  private constructor(private readonly services: TestServices) {}

  static async start(): Promise<SyncBench> {
    return new SyncBench(await startTestServices({ postgres: true }));
  }

  /** Stops the server, and removes its databases with it. */
  async stop(): Promise<void> {
    this.folder.remove();
    await this.services.stop();
  }

  database(sql?: string): Promise<TestDatabase> {
    return createTestDatabase(this.services.postgresUrl, sql);
  }

  /** Writes a job file that copies one database to another. @returns the name of the file */
  job(name: string, source: TestDatabase, target: TestDatabase, more: object): string {
    const database = ({ url }: TestDatabase) => ({ type: 'postgresql', connection_string: url });
    const body = { source: database(source), target: database(target), seed: 7, ...more };
    return this.folder.write(name, `// made by a test\n${JSON.stringify(body, undefined, 2)}\n`);
  }

  get postgresBinFolder(): string {
    return this.services.postgresBinFolder;
  }

  run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Finished> {
    return this.folder.run([...args, '--pg-bin-dir', this.services.postgresBinFolder], '', environment);
  }

  /** Runs the command and sends it a signal when the engine reaches a step for the `after`-th time. */
  runUntil(
    step: string,
    after: number,
    signal: 'SIGINT' | 'SIGKILL',
    args: readonly string[],
  ): Promise<Finished> {
    const preload = pathToFileURL(join(import.meta.dirname, 'signal-at-step.mjs')).href;
    return this.run(args, {
      NODE_OPTIONS: `--import=${preload}`,
      SIGNAL_AT: step,
      SIGNAL_AFTER: String(after),
      SIGNAL_NAME: signal,
    });
  }
}

/** Parses the output of a command that prints one JSON object per line. */
export function events({ out }: Finished): readonly Record<string, unknown>[] {
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Returns the objects and rows of a database, to test that a failed run has not changed them. */
export async function picture(database: TestDatabase): Promise<unknown> {
  const { rows: relations } = await database.query(
    `SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') ORDER BY 1, 2`,
  );
  const { rows: schemas } = await database.query(`SELECT nspname FROM pg_namespace ORDER BY 1`);
  const tables = relations
    .filter(({ kind }) => kind === 'r')
    .map(({ schema, name }) => `"${schema}"."${name}"`);
  const rows: unknown[] = [];
  for (const table of tables)
    rows.push((await database.query(`SELECT t::text AS row FROM ${table} t ORDER BY 1`)).rows);
  return { relations, schemas, rows };
}
