import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from '@understudy/testing';
import { Client } from 'pg';
import type { InitResult } from '../../src/init/output/init-result.js';
import type { Finished } from '../run-cli.js';
import { SyncBench } from '../sync/sync-bench.js';

jest.setTimeout(180_000); // some tests run init and a job on documents of many megabytes

/** Documents above 20,000 characters, composite types in all forms, hstore, arrays and long texts. */
const LONG = `
  CREATE EXTENSION hstore; CREATE EXTENSION citext;
  CREATE TYPE addr AS (street text, zip text, contact_email text);
  CREATE DOMAIN home AS addr CHECK ((value).street <> ''); CREATE DOMAIN mail AS text;
  CREATE TYPE person AS (id int, addr addr, more addr[]);
  CREATE TABLE application (id int PRIMARY KEY, payload jsonb NOT NULL, raw json, home home, homes addr[] NOT NULL, nested person NOT NULL,
    props hstore, docs jsonb[], tags citext[], mails mail[], doc xml, notes text);
  INSERT INTO application SELECT i, jsonb_build_object('pad', repeat('lorem ipsum ', 2000), 'who', jsonb_build_object('email', m)),
    json_build_object('pad', repeat('lorem ipsum ', 8000), 'who', json_build_object('email', m)), a, ARRAY[a], row(i, a, ARRAY[a])::person,
    hstore('email', m), ARRAY[jsonb_build_object('email', m)], array_fill(m::citext, ARRAY[3000]), ARRAY[m]::mail[],
    xmlparse(content repeat('<b>word</b>', 3000) || '<a>' || m || '</a>'), repeat('word ', 5000) || 'write to ' || m
    FROM (SELECT i, 'canary' || i || '@corp.test' AS m, row('Elm Street ' || i, '50667', 'canary' || i || '@corp.test')::addr AS a
            FROM generate_series(1, 60) i) s;
`;

/** One table for each hostile form of a document. */
const HOSTILE = `
  CREATE TABLE giant (id int PRIMARY KEY, doc jsonb);
  INSERT INTO giant SELECT i, jsonb_build_object('n', i) FROM generate_series(1, 199) i;
  INSERT INTO giant SELECT 0, jsonb_build_object('pad', repeat('lorem ipsum ', 5500000), 'zz', jsonb_build_object('contact', 'canary@corp.test'));
  CREATE TABLE wide (id int PRIMARY KEY, doc json NOT NULL);
  INSERT INTO wide SELECT 1, ('{' || string_agg(format('"k%s": %s', i, i), ',') || ', "last": "canary@corp.test"}')::json FROM generate_series(1, 1000000) i;
  CREATE TABLE deep (id int PRIMARY KEY, doc json);
  INSERT INTO deep SELECT 1, (repeat('[', 3000) || '"canary@corp.test"' || repeat(']', 3000))::json;
  CREATE TABLE keyed (id int PRIMARY KEY, doc jsonb);
  INSERT INTO keyed SELECT i, jsonb_build_object('canary' || i || '@corp.test', 1) FROM generate_series(1, 5) i;
  CREATE TABLE odd (id int PRIMARY KEY, doc json);
  INSERT INTO odd VALUES (1, '{"a\\u0000": "\\ud800", "email": "x\\u0000", "email": "canary@corp.test", "a.b": {"*": "canary@corp.test"}, "__proto__": {"email": "canary@corp.test"}}'),
    (2, '{"email": "canary@corp.test"}');
  CREATE TABLE users (id int PRIMARY KEY, doc jsonb);
  INSERT INTO users SELECT 1, jsonb_object_agg('u' || i, jsonb_build_object('email', 'canary' || i || '@corp.test')) FROM generate_series(1, 150) i;
  CREATE TYPE text_range AS RANGE (subtype = text);
  CREATE TABLE opaque (id int PRIMARY KEY, r text_range, b bytea, v tsvector, n int4range, u uuid);
  INSERT INTO opaque VALUES (1, '[a,b]', 'x', 'x', '[1,2]', NULL);
  CREATE TYPE mood AS ENUM ('a'); CREATE DOMAIN blob AS bytea;
  CREATE TYPE part AS (d blob, v tsvector[], m mood, x xml); CREATE TYPE whole AS (parts part[], n int);
  CREATE TABLE nested (id int PRIMARY KEY, one whole, many whole[], moods mood[], raw bytea[]);
  INSERT INTO nested VALUES (1, row(array[row('x', array['a'::tsvector], 'a', '<a/>')::part], 1)::whole, NULL, '{a}', '{x}');
`;

/** Values that the server returns only in part: bytes without a character, and a field whose conversion never ends. */
const FIXED = `
  CREATE TYPE place AS (x int, plz text); CREATE TYPE seat AS (places place[], n int);
  CREATE TYPE owner AS ENUM ('anna.berg@corp.example', 'jon.doe@corp.example'); CREATE TYPE mood AS ENUM ('ok', 'sad');
  CREATE TABLE parts (id int PRIMARY KEY, a text, b text, owner owner, moods mood[],
    whole text GENERATED ALWAYS AS (a || '@' || b) STORED, email text,
    unused owner, owners owner[], seat seat, seats seat[], made_by text GENERATED ALWAYS AS ('anna.berg' || '@corp.example') STORED,
    shown text GENERATED ALWAYS AS ('<' || email || '>') STORED, size text GENERATED ALWAYS AS (a || '-' || id) STORED, keeper text);
  INSERT INTO parts (id, a, b, owner, moods, email, keeper)
    SELECT i, 'u' || i, 'corp.example', 'jon.doe@corp.example', '{ok,sad}', 'v' || i || '@corp.example',
           CASE WHEN i % 3 = 0 THEN (ARRAY['Anna','John','Maria','Peter','Laura'])[1 + i % 5] || ' ' ||
             (ARRAY['Smith','Johnson','Miller','Davis'])[1 + i / 5 % 4] ELSE 'n/a' END
      FROM generate_series(1, 300) i;`;

const PARTLY = `
  CREATE TABLE mixed (id int PRIMARY KEY, doc json);
  INSERT INTO mixed SELECT i, '{"city": "x"}' FROM generate_series(1, 40) i;
  INSERT INTO mixed SELECT 0, json_build_object('pad', repeat('x', 5000), 'odd', chr(129));
  CREATE TABLE bad (id int PRIMARY KEY, email text); INSERT INTO bad VALUES (1, chr(129));
  CREATE TYPE mood AS ENUM ('a');
  CREATE FUNCTION slow(mood) RETURNS json LANGUAGE sql AS $$ SELECT pg_sleep(3600); SELECT '"x"'::json $$;
  CREATE CAST (mood AS json) WITH FUNCTION slow(mood);
  CREATE TYPE feeling AS (label text, mood mood);
  CREATE TABLE slow (id int PRIMARY KEY, of feeling);
  INSERT INTO slow SELECT i, row('x', NULL)::feeling FROM generate_series(1, 3) i;
  INSERT INTO slow SELECT 0, row('y', 'a')::feeling;
`;

/** Short texts with personal values in other forms than a bare address. */
const SHORT = `
  CREATE TABLE item (id int PRIMARY KEY, payload text NOT NULL, query text, markup text, doc xml, nested jsonb, emails text, link text, hint text, origin_line text,
    repo text, package text, CHECK (payload::jsonb IS NOT NULL));
  CREATE INDEX ON item ((payload::jsonb));
  INSERT INTO item SELECT i, format('{"to": "u%s@corp.test"}', i), format('/next?id=1&to=u%s%%40corp.test', i), format('<p>u%s&#64;corp.test</p>', i),
    format('<p><firstName>Canary</firstName><ssn>219-09-99%s</ssn></p>', 10 + i)::xml,
    jsonb_build_object('body', format('{"birth_date": "1980-01-%s", "phone": "206-555-01%s"}', 10 + i % 20, 10 + i)), format('a%s@corp.test, b%s@corp.test', i, i),
    format('mailto:u%s@corp.test', i), format('login u%s@corp.test.', i), format('Canary Doe <u%s@corp.test>', i), 'git@github.com:owner/name.git',
    format('npm@1.2.%s', i) FROM generate_series(1, 40) i;
`;

/** Tables that were not analysed. Their personal values are rare, in the last rows, or the last elements of arrays. */
const RARE = `
  CREATE TABLE late (id int PRIMARY KEY, v text, few text, doc jsonb);
  ALTER TABLE late SET (autovacuum_enabled = off);
  INSERT INTO late SELECT i, CASE WHEN i > 80000 THEN format('p%s@corp.test', i) ELSE 'x' END, CASE WHEN i = 77777 THEN 'ask canary@corp.test now' ELSE 'x' END,
    CASE WHEN i > 99900 THEN '{"who": {"email": "canary@corp.test"}}'::jsonb ELSE '{"n": 1}' END FROM generate_series(1, 100000) i;
  CREATE TYPE tagged AS (tags text[], raw bytea);
  CREATE TABLE tail (id int PRIMARY KEY, list text[], tagged tagged, doc jsonb);
  INSERT INTO tail SELECT i, a || 'canary@corp.test'::text, row(a || 'canary@corp.test'::text, 'x')::tagged, jsonb_build_object('l', to_jsonb(a || 'canary@corp.test'::text))
    FROM generate_series(1, 20) i, LATERAL (SELECT array_fill('x'::text, array[3000]) AS a) s;
  CREATE TABLE minority (id int PRIMARY KEY, email text, phone text, ref text, doc jsonb, note_id text);
  INSERT INTO minority SELECT i, CASE WHEN i % 10 = 0 THEN format('u%s@corp.test', i) ELSE 'n/a' END, CASE WHEN i % 10 = 0 THEN '+49 30 1234567' ELSE 'unknown' END,
    CASE WHEN i % 3 = 0 THEN format('u%s@corp.test', i) ELSE 'none' END, jsonb_build_object('at', CASE WHEN i = 50 THEN 'canary@corp.test' ELSE 'x' END, 'email', 'u@corp.test'),
    'n' || i FROM generate_series(1, 100) i;
`;

/** A table of more than the bytes that are read of one table, with an address in its last rows only. */
const LARGE = `
  CREATE TABLE large (id int PRIMARY KEY, v text, pad text);
  ALTER TABLE large SET (autovacuum_enabled = off); ALTER TABLE large ALTER pad SET STORAGE PLAIN;
  INSERT INTO large SELECT i, CASE WHEN i > 8000 THEN format('p%s@corp.test', i) ELSE 'x' END, repeat('x', 7900) FROM generate_series(1, 9000) i;
`;

/** Columns whose documents and texts must fit more than their type. */
const STRICT = `
  CREATE DOMAIN contact AS jsonb CHECK (VALUE->>'email' ~ '@corp[.]test$');
  CREATE DOMAIN loose AS jsonb CHECK (VALUE ? 'email');
  CREATE TABLE a (id int PRIMARY KEY, doc jsonb CHECK (doc->>'email' ~ '@corp[.]test$'));
  CREATE TABLE b (id int PRIMARY KEY, doc contact);
  CREATE TABLE c (id int PRIMARY KEY, doc loose NOT NULL);
  CREATE TABLE d (id int PRIMARY KEY, doc jsonb NOT NULL, kind text, CHECK (kind = 'x' OR doc->>'email' ~ '@corp[.]test$'));
  CREATE TABLE e (id int PRIMARY KEY, doc jsonb, mail text GENERATED ALWAYS AS (doc->>'email') STORED CHECK (mail LIKE '%@corp.test'));
  CREATE TABLE f (id int PRIMARY KEY, email text NOT NULL, kind text, CHECK (kind = 'x' OR email LIKE '%@corp.test'));
  CREATE TABLE g (id int PRIMARY KEY, payload text NOT NULL UNIQUE);
  CREATE INDEX ON g ((payload::jsonb->>'email'));
  CREATE TABLE h (id int PRIMARY KEY, doc jsonb NOT NULL CHECK (doc ? 'email' AND doc->>'email' ~ '@corp[.]test$'));
  CREATE DOMAIN given AS text CHECK (VALUE NOT IN ('Samira', 'Saphira', 'Annabelle', 'Valentine', 'Cedrich', 'Pepe', 'Larissa'));
  CREATE TABLE k (id int PRIMARY KEY, first_name given NOT NULL);
  INSERT INTO k SELECT i, (ARRAY['John','Mary','James'])[1 + i % 3] FROM generate_series(1, 40) i;
  INSERT INTO a SELECT i, jsonb_build_object('email', format('u%s@corp.test', i)) FROM generate_series(1, 40) i;
  INSERT INTO b SELECT * FROM a; INSERT INTO c SELECT * FROM a; INSERT INTO d SELECT id, doc, 'y' FROM a; INSERT INTO e SELECT * FROM a;
  CREATE TABLE j (id int PRIMARY KEY, sender text, receiver text, copy text, CHECK (sender <> receiver), CHECK (copy = sender));
  INSERT INTO j SELECT i, 's' || i || '@corp.test', 'r' || i || '@corp.test', 's' || i || '@corp.test' FROM generate_series(1, 40) i;
  CREATE TABLE i (id int PRIMARY KEY, tenant int, note text NOT NULL, body text NOT NULL, remark text NOT NULL, plain text, hash text GENERATED ALWAYS AS (md5(note)) STORED UNIQUE);
  CREATE UNIQUE INDEX ON i (md5(body)); CREATE UNIQUE INDEX ON i ((plain || id)); CREATE UNIQUE INDEX ON i (tenant, md5(remark));
  INSERT INTO i SELECT i, 1, t, t, t, t FROM (SELECT i, 'ask u' || i || '@corp.test' AS t FROM generate_series(1, 300) i) s;
  CREATE FUNCTION checked(mail text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN IF mail NOT LIKE '%@corp.test' THEN RAISE EXCEPTION 'unknown address %', mail; END IF; RETURN true; END $$;
  CREATE TABLE l (id int PRIMARY KEY, email text CHECK (checked(email)));
  INSERT INTO l SELECT id, doc->>'email' FROM a;
  CREATE TABLE m (id int PRIMARY KEY, email text NOT NULL UNIQUE, login text NOT NULL, part text GENERATED ALWAYS AS (left(login, 4)) STORED UNIQUE);
  CREATE UNIQUE INDEX ON m (left(email, 4)); CREATE UNIQUE INDEX ON m (upper(email));
  INSERT INTO m SELECT i, format('u%s@corp.test', 100 + i), format('u%s', 100 + i) FROM generate_series(1, 300) i;
  INSERT INTO f SELECT id, doc->>'email', 'y' FROM a; INSERT INTO g SELECT * FROM a; INSERT INTO h SELECT * FROM a;
`;

type Found = InitResult & { readonly text: string };

const ofTable = <T extends { readonly table: string }>(all: readonly T[], name: string): readonly T[] =>
  all.filter(({ table }) => table === name);

describe('understudy init on documents and composite values', () => {
  let bench: SyncBench;
  beforeAll(async () => {
    bench = await SyncBench.start();
  });
  afterAll(() => bench.stop());

  async function init(
    url: string,
    out: string,
    more: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Found> {
    const done = await bench.folder.run(['init', url, '--out', out, '--json', ...more], '', environment);
    expect([done.code, done.err]).toEqual([0, '']);
    return {
      ...(JSON.parse(done.out) as InitResult),
      text: readFileSync(join(bench.folder.folder, out), 'utf8'),
    };
  }

  describe('with one job for many tables', () => {
    let found: Found;
    let target: TestDatabase;
    let done: Finished;
    beforeAll(async () => {
      const source = await bench.database(LONG + SHORT + STRICT);
      target = await bench.database();
      found = await init(source.url, 'many.jsonc');
      done = await bench.run(['sync', 'many.jsonc'], {
        ...{ SOURCE_PASSWORD: new URL(source.url).password, TARGET_URL: target.url },
      });
    });

    it('reads all values, and its rules fit the tables', () => {
      expect(found.not_read).toEqual([]);
      // The target lacks the extensions whose functions the columns use.
      expect([done.code, done.err]).toEqual([
        0,
        'warning: creates on the target code of the source: table public.application, extension hstore, type public.citext[], extension citext, CHECK constraint l_email_check on public.l, function public.checked(pg_catalog.text)\n',
      ]);
    });

    it('detects addresses in long documents, composite values and arrays, and its rules leave none of them', async () => {
      const rules = ofTable(found.rules, 'application');
      expect(rules.map(({ column }) => column)).toEqual([
        'payload',
        'raw',
        'home',
        'homes',
        'nested',
        'props',
        'docs',
        'tags',
        'mails',
        'doc',
        'notes',
      ]);
      const reasonOf = (name: string) => rules.find(({ column }) => column === name)?.reason;
      expect(reasonOf('payload')).toMatch(/^who\.email: its name, and 100 % of 60 sampled values/);
      expect(reasonOf('nested')).toMatch(/addr\.contact_email: .*\n(.*\n)*more\[\*\]\.contact_email: /);
      expect(reasonOf('homes')).toMatch(
        /whole value, because no rule changes single fields of a composite type$/,
      );
      const { rows } = await target.query(
        "SELECT count(*)::int AS n, count(*) FILTER (WHERE a::text LIKE '%canary%')::int AS left FROM application a",
      );
      expect(rows).toEqual([{ n: 60, left: 0 }]);
    });

    it('detects personal values in short texts of any form, and its rules leave none of them', async () => {
      const rules = ofTable(found.rules, 'item');
      expect(Object.fromEntries(rules.map(({ column, what }) => [column, what]))).toEqual({
        payload: 'free text',
        query: 'free text',
        markup: 'free text',
        doc: 'free text',
        nested: 'free text',
        emails: 'e-mail addresses',
        link: 'e-mail addresses',
        hint: 'free text',
        origin_line: 'e-mail addresses',
      });
      const { rows } = await target.query(
        "SELECT count(*)::int AS n, count(*) FILTER (WHERE a::text ~* 'canary|corp.test|219-09|206-555')::int AS left FROM item a",
      );
      expect(rows).toEqual([{ n: 40, left: 0 }]);
    });

    it('proposes rules whose documents the server accepts, or lists the column to decide', () => {
      const { unruled } = found;
      const isStrict = ({ table }: { readonly table: string }) => table.length === 1;
      const [rules, toDecide] = [found.rules.filter(isStrict), found.to_decide.filter(isStrict)];
      const kinds = rules.map(({ table, column, rule }) => [
        `${table}.${column}`,
        Object.keys(rule)[0],
        rule['nullable'] === 1 ? 'NULL' : rule['values'],
      ]);
      expect(kinds).toEqual([
        ['a.doc', 'type', 'NULL'],
        ['b.doc', 'type', 'NULL'],
        ['c.doc', 'json', undefined],
        ['d.doc', 'type', ['{}']],
        ['e.doc', 'type', 'NULL'],
        ['g.payload', 'generator', undefined],
        ['i.note', 'generator', undefined],
        ['i.body', 'generator', undefined],
        ['i.remark', 'generator', undefined],
        ['i.plain', 'generator', undefined],
        ['j.sender', 'generator', undefined],
        ['j.receiver', 'generator', undefined],
        ['j.copy', 'generator', undefined],
        ['l.email', 'type', 'NULL'],
      ]);
      // The engine does not recognise these keys.
      expect(rules.filter(({ table }) => table === 'i').map(({ rule }) => rule['unique'])).toEqual([
        true,
        true,
        true,
        undefined,
      ]);
      expect(rules[0]?.reason).toMatch(
        /^email: its name.*\nthe rule replaces the whole value, because a constraint/,
      );
      expect(toDecide.map(({ table, column }) => [table, column])).toEqual([
        ['f', 'email'],
        ['h', 'doc'],
        ['k', 'first_name'],
        ['m', 'email'],
        ['m', 'login'],
      ]);
      // What is to decide is copied unchanged.
      expect([unruled['f'], unruled['m']]).toEqual([
        ['id', 'email', 'kind'],
        ['id', 'email', 'login'],
      ]);
    });
  });

  describe('on tables that no job copies', () => {
    let found: Found;
    beforeAll(async () => {
      const source = await bench.database(RARE + LARGE + FIXED);
      found = await init(source.url, 'uncopied.jsonc');
    });

    it('finds rare values anywhere in tables that were never analysed, and lists those that are too few for a rule', () => {
      const isRare = ({ table }: { readonly table: string }) => ['late', 'minority', 'tail'].includes(table);
      const [rules, toDecide] = [found.rules.filter(isRare), found.to_decide.filter(isRare)];
      expect(rules.map(({ table, column, what }) => `${table}.${column} ${what}`)).toEqual([
        'late.doc e-mail addresses',
        'minority.email e-mail addresses',
        'minority.phone phone numbers',
        'minority.doc e-mail addresses',
        'tail.list free text',
        'tail.tagged free text',
        'tail.doc free text',
      ]);
      expect(toDecide.map(({ table, column, path }) => [table, column, path])).toEqual([
        ['late', 'v', undefined],
        ['late', 'few', undefined],
        ['minority', 'ref', undefined],
        ['minority', 'doc', 'at'],
      ]);
      expect(toDecide[1]?.obstacle).toMatch(/^less than 1 % of 100000 sampled values mention/);
      expect(found.text).toContain('// TO DECIDE: at: text about persons, 1 % of 100 sampled values');
      expect(found.text).toContain('"late", // 100,000 rows read\n');
    });

    it('reads a sample from all parts of a large table, and reports its share', () => {
      expect(ofTable(found.to_decide, 'large').map(({ column }) => column)).toEqual(['v']);
      expect(found.not_read).toEqual([
        { table: 'large', reason: 'size', share: expect.closeTo(0.92, 1) as number },
      ]);
      expect(found.text).toMatch(
        /"large", \/\/ [\d,]+ rows read; read 9\d % of its rows, from all parts of the table\n/,
      );
    });

    it('lists enums and generated columns that look personal, but not those that are computed from new values', () => {
      expect(ofTable(found.rules, 'parts').map(({ column, what }) => [column, what])).toEqual([
        ['email', 'e-mail addresses'],
        ['keeper', 'names of persons'],
      ]);
      expect(ofTable(found.to_decide, 'parts')).toEqual([
        {
          ...{ table: 'parts', column: 'owner', what: 'e-mail addresses' },
          obstacle: 'the values are labels of an enum, which is copied, too',
        },
        {
          ...{ table: 'parts', column: 'whole', what: 'e-mail addresses' },
          obstacle: 'the database computes it from columns without a rule: a, b',
        },
        ...['unused', 'owners'].map((column) => ({
          ...{ table: 'parts', column, what: 'e-mail addresses' },
          obstacle: 'the values are labels of an enum, which is copied, too',
        })),
        ...['seat', 'seats'].map((column) => ({
          ...{ table: 'parts', column, what: 'postcodes' },
          obstacle: 'no value inside is recognised as personal',
        })),
        {
          ...{ table: 'parts', column: 'made_by', what: 'e-mail addresses' },
          obstacle: 'the database computes it from constants, which are copied, too',
        },
      ]);
    });
  });

  it('reads documents of any size, shape and depth in bounded memory', async () => {
    const source = await bench.database(HOSTILE);
    const { rules, not_read, text } = await init(source.url, 'hostile.jsonc', [], {
      // One of the documents has 66 MB.
      NODE_OPTIONS: '--max-old-space-size=80',
    });
    expect(text).not.toContain('canary');
    const reasons = Object.fromEntries(rules.map(({ table, reason }) => [table, reason]));
    expect(Object.keys(reasons).sort()).toEqual(['deep', 'giant', 'keyed', 'odd', 'users', 'wide']);
    expect(reasons['giant']).toMatch(/^zz\.contact: .*\n.*larger than 16 MiB/);
    expect(reasons['wide']).toMatch(
      /mention an e-mail address, a phone number or another personal value: 1\n.*larger than 16 MiB/,
    );
    expect(reasons['deep']).toMatch(/more than 500 levels/);
    expect(reasons['keyed']).toMatch(
      /^keys, or values without a path, that mention .*: 5\n.*places that no json path names$/,
    );
    expect(reasons['users']).toMatch(/… and 50 more paths\n.*at most 100 json paths$/);
    const odd = rules.find(({ table }) => table === 'odd')?.rule as { json: object };
    expect(Object.keys(odd.json)).toEqual(['email', '"a.b"."*"', '__proto__.email']);
    expect(rules.find(({ table }) => table === 'wide')?.rule).toEqual({ type: 'list', values: ['{}'] });
    const opaque = not_read.filter(({ table }) => table === 'opaque');
    expect(opaque.map(({ column, reason, type }) => [column, reason, type])).toEqual([
      ['r', 'type', 'text_range'],
      ['b', 'type', 'bytea'],
      ['v', 'type', 'tsvector'],
    ]);
    expect(
      not_read.filter(({ table }) => table === 'nested').map(({ column, type }) => [column, type]),
    ).toEqual([
      ['one', 'bytea, tsvector'],
      ['many', 'bytea, tsvector'],
      ['raw', 'bytea'],
    ]);
    expect(text).toContain('// NOT READ: init does not read values of type text_range');
  });

  it('lists what it read only in part, with the number of values and the reason', async () => {
    const server = await bench.database();
    await server.query("CREATE DATABASE partly ENCODING WIN1252 LOCALE 'C' TEMPLATE template0");
    const url = new URL(server.url);
    url.pathname = '/partly';
    await connected(url.href, (client) => client.query(PARTLY));
    const { not_read, text } = await init(url.href, 'partly.jsonc', ['--column-seconds', '1']);
    expect(not_read).toEqual([
      { table: 'bad', reason: 'encoding' },
      { table: 'mixed', column: 'doc', reason: 'encoding', sampled: 41, read: 40, read_beginning: false },
      { table: 'slow', column: 'of', reason: 'timeout', sampled: 4, read: 3, read_beginning: false },
    ]);
    expect(text).toMatch(/NOT READ: read 40 of 41 sampled values; the server found bytes that are invalid/);
    const shown = await bench.folder.run(['init', url.href, '--out', 'shown.jsonc', '--column-seconds', '1']);
    expect(shown.out).toMatch(
      /not read: slow\.of: read 3 of 4 sampled values; reading took too long.*--column-seconds allows more time/,
    );
  });

  it('prints names without control characters and why a table has no preview, and writes a file that copies such names', async () => {
    const source = await bench.database();
    const names = ['a\u001b[31m\nmail', 'b\u009bmail', 'c\u202email', 'd\n, "x": 1 //'];
    const columns = names.map((name) => `"${name.replaceAll('"', '""')}" text`).join(', ');
    await source.query(`CREATE TABLE "odd\n\u001b]0;x\u0007" (first_name text, ${columns}, doc jsonb)`);
    await source.query(`INSERT INTO "odd\n\u001b]0;x\u0007"
      SELECT 'Anna', 'a@b.test', 'a@b.test', 'a@b.test', 'x', jsonb_build_object(E'k\u009b\nmail', 'a@b.test') FROM generate_series(1, 5)`);
    await source.query(`CREATE TABLE large (email text); ALTER TABLE large ALTER email SET STORAGE EXTERNAL;
      INSERT INTO large SELECT repeat('x ', 600000) || 'a@b.test'`);
    const shown = await bench.folder.run(['init', source.url, '--out', 'odd.jsonc']);
    expect([shown.code, shown.err]).toEqual([0, '']);
    const file = readFileSync(join(bench.folder.folder, 'odd.jsonc'), 'utf8');
    for (const text of [shown.out, file]) expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(shown.out).toContain(String.raw`a\u001b[31m\u000amail`);
    expect(shown.out).toContain('large: no preview, because each row has a value of more than 256 KiB\n');
    const target = await bench.database();
    const environment = { SOURCE_PASSWORD: new URL(source.url).password, TARGET_URL: target.url };
    const done = await bench.run(['sync', 'odd.jsonc'], environment);
    expect([done.code, done.err]).toEqual([0, '']);
    const { rows } = await target.query(`SELECT o::text AS row FROM "odd\n\u001b]0;x\u0007" o`);
    expect(rows).toHaveLength(5);
    expect(JSON.stringify(rows)).not.toContain('a@b.test');
  });

  it('reports why a database has nothing to copy', async () => {
    const init = async (sql: string) => {
      const source = await bench.database(sql);
      return bench.folder.run(['init', source.url, '--out', 'none.jsonc', '--force']);
    };
    expect(await init('')).toMatchObject({
      code: 4,
      err: expect.stringContaining('the database has no table, so') as string,
    });
    expect(await init('CREATE VIEW v AS SELECT 1 AS x')).toMatchObject({
      code: 4,
      err: expect.stringContaining(
        'the database has no table, only 1 view, which a job does not copy, so',
      ) as string,
    });
  });

  it('names a lock as the reason why no row of a table was read, or why nothing was written', async () => {
    const source = await bench.database(
      "CREATE TABLE locked (id int PRIMARY KEY, email text); INSERT INTO locked VALUES (1, 'a@b.test')",
    );
    await connected(source.url, async (client) => {
      await client.query('BEGIN; LOCK TABLE locked');
      const { not_read, text } = await init(source.url, 'locked.jsonc', ['--no-preview']);
      expect(not_read).toEqual([{ table: 'locked', reason: 'locked' }]);
      expect(text).toContain('judged by column names only: another session held a lock');
      await client.query("ROLLBACK; ALTER TABLE locked ADD CHECK (email <> '')");
      await client.query('BEGIN; LOCK TABLE locked');
      const refused = await bench.folder.run(['init', source.url, '--out', 'refused.jsonc']);
      expect([refused.code, refused.err]).toEqual([
        5,
        expect.stringMatching(/Another session holds a lock.*No file was written\. The server's log/),
      ]);
    });
  });
});

async function connected(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
