import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readModel } from '@understudy/ngram';
import type { TestDatabase } from '@understudy/testing';
import { ModelStore } from '../../../src/models/model-store.js';
import { SyncHarness } from '../sync-harness.js';

const SOURCE = `
  CREATE TABLE pets (id int PRIMARY KEY, name varchar(12));
  INSERT INTO pets SELECT i, (ARRAY['ba', 'be', 'bo', 'la', 'li', 'lo', 'ma', 'mi', 'no', 'ra'])[1 + i % 10]
    || (ARRAY['ba', 'be', 'bo', 'la', 'li', 'lo', 'ma', 'mi', 'no', 'ra'])[1 + (i / 10) % 10]
    || (ARRAY['ba', 'be', 'bo', 'la', 'li', 'lo', 'ma', 'mi', 'no', 'ra'])[1 + (i / 100) % 10] FROM generate_series(1, 400) i;
  INSERT INTO pets VALUES (1000, NULL), (1001, '');
`;
const RULE = { generator: 'private/pet_names', train: { order: 3, min_values: 5 } };

const nameOf = ({ name }: Record<string, unknown>): string => String(name);

describe('a sync job that trains a private model', () => {
  let harness: SyncHarness;
  beforeAll(async () => {
    harness = await SyncHarness.start();
  });
  afterEach(() => harness.dropAll());
  afterAll(() => harness.stop());

  it('[1/5] learns from the column, keeps the model for later jobs, and never emits an original value', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    const command = harness.command(source.url, target.url, { pets: { name: RULE } });
    const outcome = await harness.run(command);
    expect(outcome.failure).toBeUndefined();
    const file = join(harness.stateDir, 'models/private/pet_names.ngram');
    const hash = createHmac('sha256', new Uint8Array(32).fill(2)).update(readFileSync(file)).digest('hex');
    expect(outcome.trained).toEqual([{ type: 'model_trained', tableIndex: 0, columnIndex: 0, hash }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const names = async () => (await target.query('SELECT id, name FROM pets ORDER BY id')).rows;
    const first = await names();
    const originals = new Set((await source.query('SELECT name FROM pets')).rows.map(({ name }) => name));
    for (const { id, name } of first) {
      if (id === 1000) expect(name).toBeNull();
      else {
        expect(originals).not.toContain(name);
        expect(String(name).length).toBeLessThanOrEqual(12);
      }
    }
    expect((await harness.run(command)).failure).toBeUndefined();
    expect(await names()).toEqual(first);
    const untrained = harness.command(source.url, target.url, {
      pets: { name: { generator: 'private/pet_names' } },
    });
    expect((await harness.run(untrained)).failure).toBeUndefined();
    await harness.run({ ...command, seed: 43 });
    expect(await names()).not.toEqual(first);
  });

  it('reads rows, training values and the definition of one instant, even if the source changes', async () => {
    const schema = `CREATE TYPE mood AS ENUM ('calm'); ${SOURCE}; ALTER TABLE pets ADD mood mood DEFAULT 'calm'`;
    const run = async (change: (source: TestDatabase) => Promise<void>) => {
      const source = await harness.database(schema);
      const target = await harness.database();
      const outcome = await harness.run(harness.command(source.url, target.url, { pets: { name: RULE } }), {
        reached: (step) => (step === 'snapshot_held' ? change(source) : undefined),
        models: new ModelStore(mkdtempSync(join(harness.stateDir, 'models-')), {
          modelKey: new Uint8Array(32).fill(2),
        }),
      });
      expect(outcome.failure).toBeUndefined();
      const { rows } = await target.query('SELECT * FROM pets ORDER BY id');
      const moods = await target.query('SELECT enum_range(NULL::mood)::text AS moods');
      return { rows, moods: moods.rows, trained: outcome.trained };
    };
    const undisturbed = await run(() => Promise.resolve());
    const disturbed = await run(async (source) => {
      await source.query("ALTER TYPE mood ADD VALUE 'restless'");
      await source.query(`INSERT INTO pets SELECT 5000 + i, 'Xq' || i FROM generate_series(1, 500) i`);
      await source.query('UPDATE pets SET name = name || id WHERE id <= 400');
    });
    expect(disturbed).toEqual(undisturbed);
    expect(disturbed.rows).toHaveLength(402);
    expect(disturbed.moods).toEqual([{ moods: '{calm}' }]);
  });

  it('uses the defaults for private models, and never emits an original even if the rule permits it', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    await source.query(`INSERT INTO pets SELECT 2000 + i, 'Xq' || (i % 4) FROM generate_series(1, 500) i`);
    const rule = {
      generator: 'private/defaults',
      train: {},
      generation: { mode: 'sentence', params: { word_count: 1, punctuation: '' } },
      constraints: { exclude_originals: false },
    };
    const outcome = await harness.run(harness.command(source.url, target.url, { pets: { name: rule } }));
    expect(outcome.failure).toBeUndefined();
    const file = readFileSync(join(harness.stateDir, 'models/private/defaults.ngram'));
    // The column has 404 distinct values in 900 rows, so the model has order 2. Only four of them contain a
    // q. This is less than `minValues`, so the model does not contain the letter.
    const model = readModel(file);
    expect(model).toMatchObject({ order: 2, minValues: 5, originals: 'locked', locale: 'private' });
    expect(model.alphabet.tokenType === 'char' && model.alphabet.symbolOf('q'.charCodeAt(0))).toBe(-1);
    const originals = new Set((await source.query('SELECT lower(name) AS name FROM pets')).rows.map(nameOf));
    const made = (await target.query('SELECT lower(name) AS name FROM pets WHERE name IS NOT NULL')).rows.map(
      nameOf,
    );
    expect(made.length).toBeGreaterThan(800);
    expect(made.filter((name) => originals.has(name))).toEqual([]);
  });

  it('fails with model_exhausted if a model of a closed pattern can write no new value', async () => {
    const source = await harness.database(
      `CREATE TABLE towns (town text);
       INSERT INTO towns SELECT p || i FROM unnest(ARRAY['Qton', 'Qham', 'Qby']) p, generate_series(0, 499) i`,
    );
    const target = await harness.database();
    const town = { generator: 'private/towns', train: { order: 3, min_values: 5 } };
    const outcome = await harness.run(harness.command(source.url, target.url, { towns: { town } }));
    expect(outcome.failure).toEqual({ code: 'model_exhausted', tableIndex: 0, columnIndex: 0 });
  });

  it('fails with model_trained_twice if two columns train one model', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    await source.query('ALTER TABLE pets ADD other text');
    const outcome = await harness.run(
      harness.command(source.url, target.url, { pets: { name: RULE, other: RULE } }),
    );
    expect(outcome.failure).toEqual({ code: 'model_trained_twice', tableIndex: 0, columnIndex: 1 });
  });

  it('checks the other rules before it trains', async () => {
    const source = await harness.database(SOURCE);
    const target = await harness.database();
    await source.query('ALTER TABLE pets ADD note text');
    const rules = {
      name: { ...RULE, generator: 'private/other' },
      note: { generator: 'template', pattern: '{{nothing}}' },
    };
    const outcome = await harness.run(harness.command(source.url, target.url, { pets: rules }));
    expect(outcome.failure).toEqual({ code: 'rule_invalid', tableIndex: 0, columnIndex: 1 });
    expect(outcome.trained).toEqual([]);
  });
});
