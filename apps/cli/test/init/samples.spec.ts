import {
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { Logger } from '@nestjs/common';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLabelledColumns } from '../../src/init/report/read-labelled-columns.js';
import type { InitResult } from '../../src/init/init-result.js';
import { Workbench } from '../run-cli.js';
import { runJobFile } from './run-job-file.js';

const DATA = join(import.meta.dirname, '../../../../../shared/data');

const SAMPLES = [
  { name: 'chinook', file: 'chinook/Chinook_PostgreSql.sql' },
  { name: 'northwind', file: 'northwind/northwind.sql' },
] as const;

/** The script without what only psql understands and what makes its own database. */
function readScript(file: string): string {
  return readFileSync(join(DATA, file), 'utf8').replace(/^(\\c .*|(DROP|CREATE) DATABASE .*)$/gm, '');
}

describe.each(SAMPLES)('init on $name', ({ name, file }) => {
  const there = existsSync(join(DATA, file));
  const itThere = there ? it : it.skip;
  const bench = new Workbench();
  let services: TestServices | undefined;
  let source: TestDatabase | undefined;
  let target: TestDatabase | undefined;
  beforeAll(async () => {
    if (!there) return;
    Logger.overrideLogger(false);
    services = await startTestServices({ postgres: true });
    source = await createTestDatabase(services.postgresUrl, readScript(file));
    target = await createTestDatabase(services.postgresUrl);
  });
  afterAll(async () => {
    await Promise.all([source?.drop(), target?.drop()]);
    await services?.stop();
    bench.remove();
  });

  itThere(
    'writes a job that, unedited, completes, verifies and leaves nothing personal as it was',
    async () => {
      if (services === undefined || source === undefined || target === undefined) return;
      const { code, out, err } = await bench.run(['init', source.url, '--json']);
      expect([code, err]).toEqual([0, '']);
      const result = JSON.parse(out) as InitResult;
      const environment = { SOURCE_PASSWORD: new URL(source.url).password, TARGET_URL: target.url };
      const job = join(bench.folder, 'understudy.job.jsonc');
      const outcome = await runJobFile(job, environment, services.postgresBinFolder);
      expect(outcome.failure).toBeUndefined();
      expect(outcome.completed).toBeDefined();
      for (const { table, column } of result.rules) {
        const kept = `SELECT ${column}::text AS v FROM ${table} WHERE ${column} IS NOT NULL`;
        const [before, after] = await Promise.all([source, target].map((database) => database.query(kept)));
        expect([table, column, after?.rows.length]).toEqual([table, column, before?.rows.length]);
        const old = new Set(before?.rows.map(({ v }) => String(v)));
        const same = after?.rows.filter(({ v }) => old.has(String(v))).length ?? 0;
        // Names and towns are those of people: some of the new ones are old ones of others.
        expect([table, column, same / Math.max(1, old.size) < 0.9]).toEqual([table, column, true]);
      }
    },
  );

  itThere('finds what somebody who reads the columns would find', async () => {
    if (source === undefined) return;
    const { out } = await bench.run(['init', source.url, '--json', '--force']);
    const { rules } = JSON.parse(out) as InitResult;
    const found = new Set(rules.map(({ table, column }) => `${table}.${column}`));
    const labels = readLabelledColumns(name).filter(({ label }) => label !== 'either');
    const wrong = labels.filter(
      ({ table, column, label }) => found.has(`${table}.${column}`) !== (label !== 'none'),
    );
    expect(wrong.map(({ table, column, label }) => [table, column, label])).toEqual([]);
  });
});
