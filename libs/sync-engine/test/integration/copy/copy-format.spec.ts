import { rowsOf, SyncHarness } from '../sync-harness.js';

const COLUMNS = `
  id bigint, part uuid, email varchar(30) NOT NULL, code char(12), note text, small smallint, whole int, real real, double double precision,
  amount numeric, yes boolean, day date, hour time, hour_tz timetz, at timestamp, at_tz timestamptz, span interval, doc json, docb jsonb,
  bytes bytea, host inet, net cidr, mac macaddr, ints int[], texts text[], moments timestamptz[],`;
const ROWS = `
  INSERT INTO portable SELECT (CASE i % 4 WHEN 0 THEN 1 WHEN 1 THEN -1 WHEN 2 THEN 9007199254740993 ELSE -9223372036854775800 END) + i,
    md5(i::text)::uuid, 'someone' || i || '@x.org', 'c' || i, CASE WHEN i % 5 > 0 THEN E'tab\\tline\\n\\\\ ü😀 ' || i END, i, -i, i / 7.0, 'NaN',
    CASE i % 3 WHEN 0 THEN 'NaN' WHEN 1 THEN 123456789.0100 * i ELSE '-Infinity' END::numeric, i % 2 = 0, 'infinity', '24:00', '10:00+05:30',
    '-infinity', timestamptz '2021-01-01 00:00:00.123456+00' + i * interval '1 hour', interval '1 mon 2 days -03:00', '{ "a":1,  "a":2 }',
    '{"b": [1.50, null]}', decode(repeat('00ff5c', i), 'hex'), '10.0.0.1/8', '10.0.0.0/8', '08:00:2b:01:02:03',
    ARRAY[1, NULL, i], ARRAY['', NULL, E'a\\tb'], ARRAY['infinity'::timestamptz, '2020-01-01Z']
    FROM generate_series(1, 300) i;
  INSERT INTO portable (id, part, email, plain) VALUES (0, '00000000-0000-0000-0000-000000000000', '', 'all else is NULL');
`;
const schema = (plainType: string) =>
  `CREATE TABLE portable (${COLUMNS} plain ${plainType}, PRIMARY KEY (id, part));`;
const RULES = {
  email: { generator: 'template', pattern: '{{code}}.{{uuid}}' },
  code: { generator: 'en_US/first_names' },
  note: { generator: 'template', pattern: 'ü\t{{lowercase(code)}}', nullable: true },
};

describe('the COPY format', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  it.each([
    ['masked', RULES],
    ['unchanged', {}],
  ])('does not affect the content of %s rows', async (_, rules) => {
    const source = await harness.database(schema('text') + ROWS);
    // A job copies to the first target in the binary format. On the second, a column has another type, so it
    // uses text.
    const targets = [await harness.database(schema('text')), await harness.database(schema('varchar'))];
    const missing = await harness.database();
    const found: unknown[] = [];
    for (const target of [...targets, missing]) {
      const outcome = await harness.run(harness.command(source.url, target.url, { portable: rules }), {
        copy: { connections: 2, chunkBytes: 20_000 },
      });
      expect(outcome.failure).toBeUndefined();
      expect(outcome.completed?.tables).toMatchObject([{ rowsProcessed: 301 }]);
      expect(outcome.completed?.warnings).toEqual(
        rules === RULES ? [expect.objectContaining({ code: 'value_truncated' })] : [],
      );
      found.push(await rowsOf(target, 'portable'));
    }
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
    if (rules !== RULES) expect(found[0]).toEqual(await rowsOf(source, 'portable'));
    else expect(String(found[0])).not.toContain('someone');
  });
});
