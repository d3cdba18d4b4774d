import { BUDGETS } from '../../src/definition/budgets.js';
import { compileSchema } from '../../src/compile/compile-schema.js';
import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { defineComposition } from '../../src/registry/define-composition.js';
import { failure, records, refusal, svc, values, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

const repeat = (count: unknown, of: unknown, unique = false): Json => ({ repeat: { count, of, unique } });
const one = { type: 'list', values: [1] };
const million = 1_000_000;

describe('a repeat that multiplies values', () => {
  it.each<[string, Json]>([
    ['10^6 × 10^6', repeat(million, repeat(million, one))],
    ['just over the limit', repeat(BUDGETS.leafValuesPerRecord + 1, one)],
    ['as expressions that are always the same', repeat('1000 * 1000', repeat('1000 * 1000', one))],
  ])('%s, as numbers, fails before the first row', (_, definition) => {
    expect(refusal({ it: definition }).code).toBe('limit_exceeded');
  });

  it.each<[string, Json]>([
    ['as expressions', repeat('pick(1000) * 1000', repeat('pick(1000) * 1000', one))],
    ['as ranges', repeat('1000000-1000000', repeat('1000000-1000000', one))],
    ['as ranges of which one is empty', repeat('999999999-999999999', repeat('0-0', one))],
    ['1000 × 1000', repeat(1000, repeat(1000, one))],
    ['10 × 10 × 10 × 10 × 10 × 10', [1, 2, 3, 4, 5, 6].reduce<Json>((of) => repeat(10, of), one)],
    ['20 deep', Array.from({ length: 20 }).reduce<Json>((of) => repeat(10, of), one)],
    ['of objects', repeat(1000, { output: { a: '{{x}}' }, let: { x: repeat(1000, one) } })],
    ['with unique', repeat(1000, repeat(1000, svc('uuid_v4'), true), true)],
    ['of nulls with unique', repeat('pick(1000) * 1000', { ...one, nullable: 1 }, true)],
    ['that nobody puts out', { let: { x: repeat(1000, repeat(1000, one)) }, computed: 'x == null' }],
  ])('%s fails on the row', (_, definition) => {
    expect(failure(definition).code).toBe('limit_exceeded');
  });

  it('fails if the count comes from a sibling that is a number', () => {
    const error = failure(repeat('n', repeat('n', one)), 1, OPTIONS, { n: { computed: '1e9' } });
    expect(error.code).toBe('limit_exceeded');
  });

  it('fails if compositions that use each other contain the repeats', () => {
    let registry = CORE_REGISTRY;
    for (let level = 0; level < 8; level += 1) {
      const of = level === 0 ? one : { use: `@acme/bomb:n${level - 1}` };
      const composition = { name: `@acme/bomb:n${level}`, let: { x: repeat(20, of) }, output: '{{x}}' };
      registry = registry.with(defineComposition(composition, { ...OPTIONS, registry }));
    }
    expect(failure({ use: '@acme/bomb:n7' }, 1, { ...OPTIONS, registry }).code).toBe('limit_exceeded');
  });

  it('fails if it generates the same value too often', () => {
    expect(failure(repeat(100, repeat('pick(100)', svc('digits'), true), true)).code).toBe(
      'generation_failed',
    );
    let nested: Json = { ...one, unique: true };
    for (let level = 0; level < 8; level += 1) nested = { let: { x: nested }, computed: 'x', unique: true };
    expect(failure(nested, 2).code).toBe('generation_failed');
  });

  it('accepts exactly as many values as the limit allows', () => {
    expect(values(repeat(BUDGETS.leafValuesPerRecord, one), 1).flat()).toHaveLength(100_000);
  });
});

describe('texts', () => {
  it('are refused if they exceed the limit of a record by one', () => {
    const text = 'x'.repeat(BUDGETS.textPerRecord / 256);
    const texts = (count: number): Json => ({ it: { output: new Array(count).fill(text) } });
    expect(records(texts(255), ['it'])).toHaveLength(1);
    expect(failure((texts(257)['it'] ?? {}) as Json).code).toBe('limit_exceeded');
  });

  it('are refused if a short definition produces them', () => {
    const of = { body: "{{pad_start(uuid, 60000, 'x')}}" };
    expect(failure(repeat(1000, of)).code).toBe('limit_exceeded');
  });

  it('can be compared for unique up to 64 KiB of JSON', () => {
    const arrays = (count: number): Json => ({
      ...repeat(count, svc('digits', { digits: 6, leading_zero: true })),
      unique: true,
    });
    expect(values(arrays(7000), 2)).toHaveLength(2);
    expect(failure(arrays(8000))).toMatchObject({ code: 'limit_exceeded', path: 'generators.it' });
  });

  it('differ from texts that look like their JSON', () => {
    const list = { type: 'list', values: [{ a: 1 }, 'json {"a":1}', '{"a":1}', 1, '1', [1]], unique: true };
    expect(values(list, 6)).toHaveLength(6);
    const long = 'x'.repeat(100);
    expect(values({ type: 'list', values: [long, `${long}y`, [long]], unique: true }, 3)).toHaveLength(3);
    expect(failure({ type: 'list', values: [long], unique: true }, 2).code).toBe('generation_failed');
  });
});

describe('large definitions', () => {
  it('20,000 nested parentheses exceed the limit', () => {
    const parentheses = `${'('.repeat(20_000)}1${')'.repeat(20_000)}`;
    expect(refusal({ it: { computed: parentheses } }).code).toBe('limit_exceeded');
    expect(refusal({ it: { body: `{{${parentheses}}}` } }).code).toBe('limit_exceeded');
    expect(refusal({ it: { body: `{{${'['.repeat(1500)}1${']'.repeat(1500)}}}` } }).code).toBe(
      'limit_exceeded',
    );
    expect(refusal({ it: { body: `{{${'!'.repeat(3000)}1}}` } }).code).toBe('limit_exceeded');
    expect(refusal({ it: { type: 'list', values: [1], where: parentheses } }).code).toBe('limit_exceeded');
    expect(refusal({ it: repeat(parentheses, one) }).code).toBe('limit_exceeded');
    expect(refusal({ it: { ...one, transform: parentheses } }).code).toBe('limit_exceeded');
  });

  it('a list can have 100,000 weights', () => {
    const weights = Array.from({ length: 100_000 }, (_, i) => ({ value: i, weight: i % 7 }));
    const made = values({ type: 'list', values: weights }, 1000).map(Number);
    expect(made.every((value) => value % 7 !== 0)).toBe(true);
    expect(new Set(made).size).toBeGreaterThan(980);
  });

  it('int_between can exclude 100,000 values', () => {
    const except = Array.from({ length: 100_000 }, (_, i) => i * 2);
    const made = values(svc('int_between', { min: 0, max: 200_000, except }), 1000).map(Number);
    expect(made.every((value) => value % 2 === 1 || value === 200_000)).toBe(true);
  });

  it('JSON can be nested 64 levels deep, 65 levels are refused, and 100,000 do no harm', () => {
    const nest = (levels: number): unknown => {
      let value: unknown = 1;
      for (let i = 0; i < levels; i += 1) value = [value];
      return value;
    };
    // schema, generators, it and output are four levels around it
    expect(records({ it: { output: nest(61) } }, ['it'])).toHaveLength(1);
    expect(refusal({ it: { output: nest(62) } }).code).toBe('limit_exceeded');
    expect(refusal({ it: { output: nest(100_000) } }).code).toBe('limit_exceeded');
    expect(refusal({ it: nest(100_000) }).code).toBe('limit_exceeded');
  });

  it('1000 generators are accepted and 1001 are refused', () => {
    const many = (count: number): Json =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`g${i}`, i === 0 ? one : { body: `{{g${i - 1}}}` }]),
      );
    expect(records(many(1000), ['g999'])).toEqual([{ g999: '1' }]);
    expect(refusal(many(1001), ['g0']).code).toBe('limit_exceeded');
    const all = compileSchema({ generators: many(1000), output: Object.keys(many(1000)) }, OPTIONS);
    expect(Object.keys([...all.records(1, 0, 1)][0] ?? {})).toHaveLength(1000);
  });
});
