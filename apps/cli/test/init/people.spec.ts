import type { InitResult } from '../../src/init/output/init-result.js';
import { events, SyncBench } from '../sync/sync-bench.js';

/** A table of people, and a table whose column names only look personal. */
const STAFF = `
  CREATE TABLE staff (
    id int PRIMARY KEY, "firstName" text NOT NULL, last_name varchar(40), email varchar(60) UNIQUE NOT NULL, short_mail varchar(30) NOT NULL,
    geschlecht char(1) NOT NULL CHECK (geschlecht IN ('m', 'w', 'd')), salary numeric(10,2) NOT NULL, religion text NOT NULL, blood_type varchar(3));
  INSERT INTO staff SELECT i, (ARRAY['Anna', 'John', 'Eva', 'Peter'])[1 + i % 4], CASE WHEN i % 3 > 0 THEN (ARRAY['Smith', 'Berg', 'Jones'])[1 + i % 3] END,
    'p' || i || '@corp.test', 'q' || i || '@corp.test', (ARRAY['m', 'w'])[1 + i % 2], 31000 + 37.5 * i,
    (ARRAY['Catholic', 'Protestant', 'Canarian', 'None'])[1 + i % 4], (ARRAY['A+', 'O-'])[1 + i % 2] FROM generate_series(1, 120) i;
  CREATE TABLE product (id int PRIMARY KEY, gender text);
  INSERT INTO product SELECT i, 'men' FROM generate_series(1, 20) i;
`;

describe('understudy init on a table of people', () => {
  let bench: SyncBench;
  beforeAll(async () => {
    bench = await SyncBench.start();
  });
  afterAll(() => bench.stop());

  async function init(url: string, out: string): Promise<InitResult> {
    const done = await bench.folder.run(['init', url, '--out', out, '--json']);
    expect([done.code, done.err]).toEqual([0, '']);
    return JSON.parse(done.out) as InitResult;
  }

  it('proposes addresses made from the new names, and rules for sensitive columns', async () => {
    const [source, target] = [await bench.database(STAFF), await bench.database()];
    const { rules } = await init(source.url, 'staff.jsonc');
    expect(rules.map(({ table, column, what }) => `${table}.${column} ${what}`)).toEqual([
      'staff.firstName first names',
      'staff.last_name last names',
      'staff.email e-mail addresses',
      'staff.short_mail e-mail addresses',
      'staff.geschlecht genders',
      'staff.salary pay or income',
      'staff.religion religions, parties or unions',
      'staff.blood_type matters of health',
    ]);
    // A rule must not contain a rare word of the sampled rows.
    expect(JSON.stringify(rules)).not.toContain('Canarian');
    expect(rules.find(({ column }) => column === 'email')?.reason).toMatch(
      /; made from the new firstName and last_name$/,
    );
    const environment = { SOURCE_PASSWORD: new URL(source.url).password, TARGET_URL: target.url };
    const done = await bench.run(['sync', 'staff.jsonc'], environment);
    expect([done.code, done.err]).toEqual([0, '']);
    const verified = await bench.run(['verify', 'staff.jsonc'], environment);
    expect([verified.code, events(verified).at(-1)]).toMatchObject([0, { event: 'verified', ok: true }]);
    const { rows } = await target.query(`
      SELECT count(*) FILTER (WHERE email !~ ('^' || lower("firstName") || '[.]' || coalesce(lower(last_name), 'someone') || '[0-9]{4}@example[.]com$'))::int AS strange,
             count(DISTINCT email)::int AS emails, count(*) FILTER (WHERE salary NOT BETWEEN 30000 AND 40000)::int AS pay FROM staff
       WHERE "firstName" ~ '^[A-Za-z]{1,20}$' AND coalesce(last_name, 'x') ~ '^[A-Za-z]{1,20}$'`);
    expect(rows).toEqual([{ strange: 0, emails: expect.any(Number) as number, pay: 0 }]);
    expect(Number(rows[0]?.['emails'])).toBeGreaterThan(50);
  });

  it('maps equal addresses to equal values if a table has addresses without names', async () => {
    const source = await bench.database(`${STAFF}
      CREATE TABLE login (id int PRIMARY KEY, email text); INSERT INTO login SELECT id, email FROM staff;`);
    const { rules } = await init(source.url, 'logins.jsonc');
    const emails = rules.filter(({ column }) => column === 'email');
    expect(emails.map(({ rule }) => rule['consistent'])).toEqual([true, true]);
    expect(emails.find(({ table }) => table === 'staff')?.reason).toMatch(
      /not made from the new names, because login has addresses without names/,
    );
    expect(rules.filter(({ reason }) => reason.includes('not made from'))).toHaveLength(1);
  });

  it('makes addresses from the new names in every table with names, although documents contain addresses', async () => {
    const source = await bench.database(`${STAFF}
      CREATE TABLE customer (id int PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL, email text NOT NULL);
      INSERT INTO customer SELECT id, "firstName", coalesce(last_name, 'Berg'), email FROM staff;
      CREATE TYPE contact AS (email text);
      CREATE TABLE message (id int PRIMARY KEY, body jsonb, sender contact);
      INSERT INTO message SELECT id, jsonb_build_object('email', email), row(email)::contact FROM staff`);
    const { rules } = await init(source.url, 'documents.jsonc');
    const made = rules.filter(({ reason }) => reason.includes('made from the new'));
    expect(made.map(({ table, column }) => `${table}.${column}`)).toEqual([
      'customer.email',
      'staff.email',
      'staff.short_mail',
    ]);
    expect(JSON.stringify(made[0]?.rule)).toContain('slug(first_name)');
    expect(rules.filter(({ table }) => table === 'message').map(({ column }) => column)).toEqual([
      'body',
      'sender',
    ]);
  });
});
