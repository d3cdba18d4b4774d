import type { SyncFailure } from '@understudy/sync-job';
import { PolicyHarness } from './policy-harness.js';

/** The types of columns that can hold text. */
const TEXTUAL = [
  ...[
    'text',
    'varchar(9)',
    'char(3)',
    '"char"',
    'name',
    'citext',
    'json',
    'jsonb',
    'xml',
    'bytea',
    'tsvector',
  ],
  ...[
    'text[]',
    'int[]',
    'jsonb[]',
    'words',
    'nested_words',
    'word_list',
    'short_words',
    'pair',
    'word_range',
  ],
];
const OTHERS = [
  ...['boolean', 'int', 'bigint', 'numeric(9,2)', 'real', 'money', 'date', 'timestamptz', 'time', 'interval'],
  ...['uuid', 'inet', 'macaddr', 'point', 'bit(3)', 'int4range', 'tstzmultirange', 'mood', 'positive', 'oid'],
];
const columnsOf = (types: readonly string[]) =>
  types.map((type, index) => `c${String(index).padStart(2, '0')} ${type}`).join(', ');

const SCHEMA = `
  CREATE EXTENSION citext;
  CREATE DOMAIN words AS text CHECK (value <> '');
  CREATE DOMAIN nested_words AS words;
  CREATE DOMAIN short_words AS varchar(9);
  CREATE DOMAIN word_list AS text[];
  CREATE DOMAIN positive AS int CHECK (value > 0);
  CREATE TYPE mood AS ENUM ('calm');
  CREATE TYPE pair AS (a int, b text);
  CREATE TYPE word_range AS RANGE (subtype = text);
  CREATE TABLE textual (${columnsOf(TEXTUAL)});
  CREATE TABLE others (${columnsOf(OTHERS)});
  CREATE TABLE orders (id int, status text, note text, year int) PARTITION BY RANGE (year);
  CREATE TABLE orders_2024 PARTITION OF orders FOR VALUES FROM (2024) TO (2025);
  CREATE TABLE pets (id int, name text);
  CREATE TABLE cats () INHERITS (pets);
`;
const ROWS = `
  INSERT INTO pets SELECT i, 'ba' || chr(97 + i % 26) || chr(97 + i / 26) || 'bo' FROM generate_series(0, 400) i;
  INSERT INTO cats SELECT i, 'me' || chr(97 + i % 26) || chr(97 + i / 26) || 'ow' FROM generate_series(0, 400) i;
`;
const PROTECT = 'protect: all_text_unless_listed\nallow_where: true\n';

let harness: PolicyHarness;
beforeAll(async () => {
  harness = await PolicyHarness.start(SCHEMA, ROWS);
});
afterAll(() => harness.stop());

const deniedColumns = ({ problems }: SyncFailure) =>
  (problems ?? []).map(({ code, column }) => (code === 'policy_denied' ? String(column) : code));

describe('a policy that protects all text', () => {
  it('refuses to preserve columns of all types that can hold text', async () => {
    const failure = await harness.run(PROTECT, [{ name: 'textual' }]);
    const names = TEXTUAL.map((_, index) => `c${String(index).padStart(2, '0')}`);
    expect(failure).toMatchObject({ code: 'policy_denied', tableIndex: 0 });
    expect(deniedColumns(failure as SyncFailure)).toEqual(names);
  });

  it('admits numbers, times, enums and the like', async () => {
    expect(await harness.run(PROTECT, [{ name: 'others' }])).toBeUndefined();
  });

  it('admits columns that may_preserve lists for the table or one of its ancestors', async () => {
    const listed = `${PROTECT}may_preserve: ['public.orders.status', 'public.orders_2024.note']`;
    const ofParent = await harness.run(listed, [{ name: 'orders' }]);
    expect(ofParent).toMatchObject({ problems: [{ code: 'policy_denied', column: 'note' }] });
    expect(await harness.run(listed, [{ name: 'orders_2024' }])).toBeUndefined();
  });

  it('refuses columns that both never_preserve and may_preserve list', async () => {
    const both = `${PROTECT}may_preserve: ['*.orders*.*']\nnever_preserve: ['*.orders.note']`;
    expect(await harness.run(both, [{ name: 'orders_2024' }])).toMatchObject({
      problems: [{ code: 'policy_denied', column: 'note' }],
    });
  });

  it('refuses a condition on a column that may not be preserved', async () => {
    const listed = `${PROTECT}may_preserve: ['*.orders.status']`;
    const run = (where: string) => {
      const note = { name: 'note', rule: { generator: 'en_US/first_names' } };
      return harness.run(listed, [{ name: 'orders', columns: [note], subset: { where } }]);
    };
    expect(await run(`note = 'x'`)).toMatchObject({ code: 'policy_denied', tableIndex: 0, columnIndex: 0 });
    expect(await run(`status = 'x'`)).toBeUndefined();
  });
});

describe('a policy that rejects unlisted columns', () => {
  const all = { name: 'pets', columns: ['id', 'name'].map((name) => ({ name, rule: { preserve: true } })) };
  const refused = { code: 'unlisted_not_rejected', tableIndex: 0 };

  it.each(['preserve', 'null'] as const)(
    'refuses a job whose unlisted_columns is %s',
    async (unlistedColumns) => {
      expect(await harness.run('unlisted: reject', [all], { unlistedColumns })).toMatchObject(refused);
    },
  );

  it('refuses a table whose unlisted_columns differs from that of its job', async () => {
    const table = { ...all, unlistedColumns: 'preserve' } as const;
    expect(await harness.run('unlisted: reject', [table], { unlistedColumns: 'reject' })).toMatchObject(
      refused,
    );
  });

  it('admits a job whose unlisted_columns is reject', async () => {
    expect(await harness.run('unlisted: reject', [all], { unlistedColumns: 'reject' })).toBeUndefined();
  });
});

describe('a policy about private models', () => {
  const training = (name: string, minValues: number) => [
    {
      name,
      columns: [
        { name: 'name', rule: { generator: 'private/pet', train: { order: 2, min_values: minValues } } },
      ],
    },
  ];
  const place = { tableIndex: 0, columnIndex: 0 };

  it('refuses training if allow_training is false', async () => {
    const refused = { code: 'training_not_allowed', ...place };
    expect(await harness.run('allow_training: false', training('pets', 5))).toMatchObject(refused);
  });

  it('refuses a min_values below 5 by default', async () => {
    expect(await harness.run('', training('pets', 4))).toMatchObject({
      code: 'min_values_too_low',
      ...place,
    });
    expect(await harness.run('', training('pets', 5))).toBeUndefined();
  });

  it('refuses a min_values below its min_values_floor', async () => {
    const refused = { code: 'min_values_too_low', ...place };
    expect(await harness.run('min_values_floor: 7', training('pets', 6))).toMatchObject(refused);
    expect(await harness.run('min_values_floor: 2', training('pets', 2))).toBeUndefined();
  });

  it.each([
    ['a table that never_preserve names', 'pets'],
    ['a table that inherits from one that never_preserve names', 'cats'],
  ])('requires a min_values of at least 5 for a protected column of %s', async (_, name) => {
    const policy = `min_values_floor: 1\nnever_preserve: ['public.pets.name']`;
    const refused = { code: 'min_values_too_low', ...place };
    expect(await harness.run(policy, training(name, 4))).toMatchObject(refused);
    expect(await harness.run(policy, training(name, 5))).toBeUndefined();
  });
});
