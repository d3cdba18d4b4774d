import { parseColumnRule } from '@understudy/column-rule';
import { builtinLibrary } from '@understudy/builtin-models/node';
import type { CellMask } from '@understudy/masking';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelRegistry } from '../models/model-registry.js';
import { ModelStore } from '../models/model-store.js';
import { compileMasks } from './compile-masks.js';
import { SyncJobError } from '@understudy/sync-job';
import type { ColumnPlan, TablePlan } from './table-plan.js';

const stateDir = mkdtempSync(join(tmpdir(), 'understudy-masks-'));
afterAll(() => rmSync(stateDir, { recursive: true }));

const maskingKey = new Uint8Array(32);
const builtin = builtinLibrary();

function produced(name: string, value: unknown): ColumnPlan {
  const path = `tables[0].columns.${name}`;
  const parsed = parseColumnRule(value, path);
  if ('problems' in parsed || parsed.rule.kind === 'preserve') throw new Error('not a producing rule');
  const description = { name, isText: true, isBlankPadded: false, maxLength: 12 };
  return {
    description: description as ColumnPlan['description'],
    fill: { kind: 'produce', rule: parsed.rule, path },
  };
}

function compile(rules: Readonly<Record<string, unknown>>): ReadonlyMap<string, CellMask> {
  const columns = Object.entries(rules).map(([name, rule]) => produced(name, rule));
  const plan: TablePlan = {
    index: 0,
    name: { schema: 'public', table: 'people' },
    source: {} as TablePlan['source'],
    target: undefined,
    columns,
    columnIndex: new Map(columns.map(({ description }, i) => [description.name, i])),
  };
  const registry = new ModelRegistry(
    new ModelStore(stateDir, { modelKey: new Uint8Array(32) }),
    builtin,
    new Map(),
  );
  const job = { maskingKey, seed: 1, referenceInstantMs: 0 };
  const { assets, registry: generators } = builtin;
  return compileMasks(plan, { job, models: registry.find, assets, registry: generators });
}

function values(mask: CellMask | undefined): string[] {
  if (mask === undefined || 'leaves' in mask) throw new Error('no mask of values');
  const bindings = [null, null, null, null];
  return Array.from({ length: 30 }, (_, row) => String(mask.plan.value(mask.key, 0, row, 0, bindings)));
}

describe('compileMasks', () => {
  it('finds built-in lists and compositions by model id and in definitions', () => {
    const masks = compile({
      city: { generator: 'ja_JP/cities', constraints: { ends_with: '市' } },
      name: { generator: 'ru_RU/full_names' },
      short: { generator: 'ru_RU/full_names', constraints: { starts_with: 'А', max_length: 30 } },
      town: { generator: { type: 'list', source: 'de_DE/cities' } },
      person: { use: 'en_US/full_names' },
    });
    for (const city of values(masks.get('city'))) expect(city).toMatch(/市$/);
    for (const name of values(masks.get('short'))) expect(name).toMatch(/^А.{0,29}$/);
    for (const name of values(masks.get('name'))) expect(name).toMatch(/^\S+ \S+ \S+$/);
    expect(new Set(values(masks.get('town'))).size).toBeGreaterThan(5);
    for (const person of values(masks.get('person'))) expect(person).toMatch(/^\S+ \S/);
  });

  it.each([
    [{ generator: 'ja_JP/none' }, 'model_not_found'],
    [{ generator: 'ja_JP/cities', constraints: { starts_with: 'Z' } }, 'model_exhausted'],
    [{ generator: 'ja_JP/cities', constraints: { exclude_originals: true } }, 'model_exhausted'],
    [{ generator: 'ru_RU/full_names', constraints: { exclude_originals: true } }, 'rule_invalid'],
    [{ generator: 'ru_RU/full_names', constraints: { min_length: 9, max_length: 8 } }, 'rule_invalid'],
  ])('refuses the rule %j with %s', (rule, code) => {
    let thrown: unknown;
    try {
      compile({ city: rule });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SyncJobError);
    expect(thrown).toMatchObject({ failure: { code, tableIndex: 0, columnIndex: 0 } });
  });
});
