import type { TestDatabase } from '@understudy/testing';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { events, SyncBench } from './sync-bench.js';

const DATA = join(import.meta.dirname, '../../../../../shared/data');
const NAME = { generator: 'en_US/last_names', differs: true };
const PHONE = { generator: 'template', pattern: '+1 {{uuid}}', differs: true };

interface Sample {
  readonly name: string;
  readonly file: string;
  /** The rules by table and column. */
  readonly masks: Readonly<Record<string, object>>;
}

const WRITTEN: readonly Sample[] = [
  {
    name: 'Chinook',
    file: 'chinook/Chinook_PostgreSql.sql',
    masks: { customer: { last_name: NAME, phone: PHONE }, employee: { last_name: NAME } },
  },
  {
    name: 'Northwind',
    file: 'northwind/northwind.sql',
    masks: { customers: { contact_name: NAME }, employees: { last_name: NAME } },
  },
];
const SAMPLES = WRITTEN.map((sample) => ({ ...sample, isThere: existsSync(join(DATA, sample.file)) }));

/** Reads a script without the commands of psql and the statements that create or drop a database. */
function readScript(file: string): string {
  return readFileSync(join(DATA, file), 'utf8').replace(/^(\\c .*|(DROP|CREATE) DATABASE .*)$/gm, '');
}

async function tablesOf(database: TestDatabase): Promise<readonly string[]> {
  const { rows } = await database.query(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => String(name));
}

describe.each(SAMPLES)('the sample database $name', ({ name, file, masks, isThere }) => {
  (isThere ? it : it.skip)('can be copied with sync and verified with verify', async () => {
    const bench = await SyncBench.start();
    try {
      const source = await bench.database(readScript(file));
      const target = await bench.database();
      const tables = (await tablesOf(source)).map((table) => ({
        name: table,
        columns: masks[table] ?? {},
      }));
      const job = bench.job(`${name}.json`, source, target, { tables });
      const done = await bench.run(['sync', job]);
      expect([done.code, done.err]).toEqual([0, '']);
      expect(events(done).at(-1)).toMatchObject({ event: 'completed', verification: { ok: true } });
      expect(await tablesOf(target)).toEqual(await tablesOf(source));
      const verified = await bench.run(['verify', job]);
      expect([verified.code, verified.err]).toEqual([0, '']);
      expect(events(verified).at(-1)).toMatchObject({ event: 'verified', ok: true });
    } finally {
      await bench.stop();
    }
  });
});
