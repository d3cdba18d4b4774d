import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from '@understudy/testing';
import { casesOf, inBoth } from '@understudy/testing';
import { SyncHarness, type Rules } from './sync-harness.js';

const DATA = join(import.meta.dirname, '../../../../../shared/data');
const FIRST = { generator: 'en_US/first_names' };
const LAST = { generator: 'en_US/last_names' };
const PHONE = { generator: 'template', pattern: '+1 555 {{uuid}}', differs: true };
const EMAIL = { generator: 'template', pattern: '{{lowercase(first_name)}}@example.com', differs: true };

interface Sample {
  readonly name: string;
  readonly file: string;
  readonly masks: Readonly<Record<string, Rules>>;
}

const SAMPLES: readonly Sample[] = [
  {
    name: 'Northwind',
    file: 'northwind/northwind.sql',
    masks: {
      customers: { contact_name: LAST, phone: PHONE },
      employees: { first_name: FIRST, last_name: LAST, home_phone: PHONE },
    },
  },
  {
    name: 'Chinook',
    file: 'chinook/Chinook_PostgreSql.sql',
    masks: {
      customer: { first_name: FIRST, last_name: LAST, phone: PHONE, email: EMAIL },
      employee: { first_name: FIRST, last_name: LAST, phone: PHONE, email: EMAIL },
    },
  },
];

/** Reads a script, without psql's `\c` commands and without the statements that drop or create a database. */
function readScript(file: string): string {
  return readFileSync(join(DATA, file), 'utf8').replace(/^(\\c .*|(DROP|CREATE) DATABASE .*)$/gm, '');
}

describe.each(casesOf(SAMPLES, 1))('a masked copy of $name', ({ file, masks }) => {
  const there = existsSync(join(DATA, file));
  const itThere = there ? inBoth : inBoth.skip;
  let harness: SyncHarness | undefined;
  beforeAll(async () => {
    if (there) harness = await SyncHarness.start();
  });
  afterAll(() => harness?.stop());

  itThere('has the same rows, with new values in every masked cell and only there', async () => {
    if (harness === undefined) return;
    const source = await harness.database(readScript(file));
    const target = await harness.database();
    const tables = await listTables(source);
    const rules = Object.fromEntries(tables.map((table) => [table, masks[table] ?? {}]));
    const outcome = await harness.run(harness.command(source.url, target.url, rules));
    expect(outcome.failure).toBeUndefined();
    expect(tables.length).toBeGreaterThan(8);
    for (const table of tables) {
      const masked = new Set(Object.keys(masks[table] ?? {}));
      const [before, after] = await Promise.all(
        [source, target].map((database) => rowsByKey(database, table)),
      );
      expect(after?.size).toBe(before?.size);
      for (const [key, old] of before ?? []) {
        const now = after?.get(key);
        for (const [column, value] of Object.entries(old)) {
          if (!masked.has(column) || value === null)
            expect([table, column, now?.[column]]).toEqual([table, column, value]);
          else expect([table, column, now?.[column]]).not.toEqual([table, column, value]);
        }
      }
    }
    const keys =
      "SELECT conrelid::regclass::text AS t, conname, pg_get_constraintdef(oid) AS d, convalidated FROM pg_constraint WHERE contype = 'f' ORDER BY 1, 2";
    expect((await target.query(keys)).rows).toEqual((await source.query(keys)).rows);
  });
});

async function listTables(database: TestDatabase): Promise<string[]> {
  const { rows } = await database.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  return rows.map(({ tablename }) => String(tablename));
}

async function rowsByKey(
  database: TestDatabase,
  table: string,
): Promise<Map<string, Record<string, unknown>>> {
  const keys = await database.query(
    'SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indisprimary AND i.indrelid = $1::regclass ORDER BY 1',
    [table],
  );
  const { rows } = await database.query(`SELECT to_jsonb(t) AS row FROM ${table} t`);
  return new Map(
    rows.map(({ row }) => {
      const record = row as Record<string, unknown>;
      return [JSON.stringify(keys.rows.map(({ name }) => record[String(name)])), record];
    }),
  );
}
