import { compileSchema } from '../../compile/compile-schema.js';
import { svc, records, values, problems, type Json } from '../../../test/schema-harness.js';
import { NOW_MS, OPTIONS } from '../../../test/test-model.js';

describe('svc', () => {
  it.each(['svc', 'logic', 'the service'])('is available as type %s', (type) => {
    expect(values({ type, algorithm: 'digits' }, 1)).toEqual(values(svc('digits'), 1));
  });

  it('is available by its registered name', () => {
    expect(values({ use: '@svc/core:logic.digits', params: { digits: 3 } }, 3)).toEqual(
      values(svc('digits', { digits: 3 }), 3),
    );
  });

  it.each<[string, Json, RegExp]>([
    ['uuid_v4', {}, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ['uuid_v7', {}, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ['ulid', {}, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
    ['nanoid', {}, /^[A-Za-z0-9_-]{21}$/],
    ['nanoid', { length: 5 }, /^[A-Za-z0-9_-]{5}$/],
    ['int_between', { min: -2, max: 2 }, /^(-[12]|[012])$/],
    ['int_between', { min: 7, max: 7 }, /^7$/],
    ['int_between', { min: 1, max: 4, except: [2, 3, 99, 'x'.length] }, /^4$/],
    ['float_between', {}, /^(0|1|0\.\d{1,2})$/],
    ['float_between', { min: 0.001, max: 0.02 }, /^0\.0[12]$/],
    ['float_between', { min: -0.029, max: -0.001 }, /^-0\.0[12]$/],
    ['float_between', { min: -0.4, max: 0.4, precision: 0 }, /^0$/],
    ['float_between', { min: -5, max: 5, precision: 0 }, /^-?[0-5]$/],
    ['boolean', { probability: 7 }, /^true$/],
    ['boolean', { probability: -1 }, /^false$/],
    [
      'datetime_between',
      { start: '2024-01-02', end: '2024-01-01' },
      /^2024-01-0(1T[\d:.]{12}|2T00:00:00.000)Z$/,
    ],
    ['date_between', { start: '2024-02-28', end: '2024-03-01' }, /^2024-0(2-28|2-29|3-01)$/],
    ['time_between', { start: '23:59:59', end: '00:00:01' }, /^(23:59:59|00:00:0[01])$/],
    ['timestamp', { start: '1970-01-01T00:00:10Z', end: '1970-01-01T00:00:12Z' }, /^1[012]$/],
    ['gaussian', {}, /^-?\d\.?\d{0,6}(e-\d)?$/],
    ['exponential', {}, /^\d+\.?\d{0,6}(e-\d)?$/],
    ['digits', { digits: 3, strict: true }, /^[1-9]\d\d$/],
    ['digits', { digits: 4, leading_zero: true }, /^\d{4}$/],
    ['digits', { digits: 99, leading_zero: true, strict: true }, /^[1-9]\d{17}$/],
    ['digits', { digits: 0 }, /^\d$/],
  ])('%s with %j matches its pattern', (algorithm, params, pattern) => {
    for (const value of values(svc(algorithm, params), 300)) expect(String(value)).toMatch(pattern);
  });

  it('int_between draws all values of its range equally often, except the excluded ones', () => {
    const counts = new Map<unknown, number>();
    for (const value of values(svc('int_between', { min: 1, max: 6, except: [2, 5] }), 8000)) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 3, 4, 6]);
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  it('sequence counts rows; uuid_v7 and ulid sort in the order of rows, from the reference instant', () => {
    expect(values(svc('sequence', { start: 10, step: -3 }), 3)).toEqual([10, 7, 4]);
    for (const algorithm of ['uuid_v7', 'ulid']) {
      const made = values(svc(algorithm), 50).map(String);
      expect([...made].sort()).toEqual(made);
    }
    const [uuid] = values(svc('uuid_v7'), 1).map(String);
    expect(parseInt((uuid ?? '').replace('-', '').slice(0, 12), 16)).toBe(NOW_MS);
  });

  it.each(['uuid_v7', 'ulid'])(
    '%s has its length and order for any instant from 1970 to 9999',
    (algorithm) => {
      const pattern =
        algorithm === 'ulid'
          ? /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
          : /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/;
      for (const nowMs of [0, 2 ** 31 - 1, 2 ** 32, 253_402_300_799_999]) {
        const made = values(svc(algorithm), 40, { ...OPTIONS, nowMs }).map(String);
        expect(made.filter((value) => !pattern.test(value))).toEqual([]);
        expect([...made].sort()).toEqual(made);
      }
      const [problem] = problems(svc(algorithm), { ...OPTIONS, nowMs: -1 });
      expect(problem?.message).toContain('needs a reference instant (now) from 1970 on');
    },
  );

  it('digits is exact beyond 2^53', () => {
    const made = values(svc('digits', { digits: 18, strict: true }), 200);
    expect(
      made.every((value) => typeof value === 'bigint' && value >= 10n ** 17n && value < 10n ** 18n),
    ).toBe(true);
    expect(new Set(made.map((value) => (value as bigint) % 10n)).size).toBe(10);
  });

  it('gaussian and exponential have the right moments', () => {
    const mean = (list: number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;
    const normal = values(svc('gaussian', { mean: 10, stddev: 2 }), 20_000).map(Number);
    expect(Math.abs(mean(normal) - 10)).toBeLessThan(0.08);
    expect(Math.abs(mean(normal.map((value) => (value - 10) ** 2)) - 4)).toBeLessThan(0.25);
    const waits = values(svc('exponential', { lambda: 4 }), 20_000).map(Number);
    expect(Math.abs(mean(waits) - 0.25)).toBeLessThan(0.01);
  });

  it.each<[string, Json, string]>([
    ['int_between', { min: 2, max: 1 }, 'params.min'],
    ['int_between', { min: '1' }, 'params.min'],
    ['int_between', { max: 1.5 }, 'params.max'],
    ['int_between', { min: -(2 ** 53 - 1), max: 2 ** 53 - 1 }, 'params.min'],
    ['int_between', { min: 1, max: 2, except: [1, 2] }, 'params.except'],
    ['int_between', { except: 'x' }, 'params.except'],
    ['int_between', { except: [1, 2.5] }, 'params.except[1]'],
    ['int_between', { minimum: 1 }, 'params.minimum'],
    ['float_between', { min: 2 }, 'params.min'],
    ['float_between', { precision: 16 }, 'params.precision'],
    ['float_between', { min: 0.001, max: 0.009 }, 'params.precision'],
    ['float_between', { min: 1.5, max: 1.5, precision: 0 }, 'params.precision'],
    ['gaussian', { stddev: -1 }, 'params.stddev'],
    ['exponential', { lambda: 0 }, 'params.lambda'],
    ['datetime_between', { start: 'yesterday' }, 'params.start'],
    ['datetime_between', { start: '20200101' }, 'params.start'],
    ['timestamp', { start: '2020-W01-1' }, 'params.start'],
    ['date_between', { end: 5 }, 'params.end'],
    ['time_between', { end: '24:00' }, 'params.end'],
    ['nanoid', { length: 0 }, 'params.length'],
    ['digits', { strict: 'yes' }, 'params.strict'],
    ['uuid_v4', { version: 4 }, 'params.version'],
    ['uuid_v5', {}, 'algorithm'],
  ])('refuses %s with %j', (algorithm, params, path) => {
    expect(problems(svc(algorithm, params)).map((problem) => problem.path)).toEqual([
      `generators.it.${path}`,
    ]);
  });

  it('accepts parameters from other generators with their types', () => {
    const made = records(
      {
        low: svc('int_between', { min: 10, max: 90 }),
        it: svc('int_between', { min: '{{low}}', max: '{{low + 1}}' }),
      },
      ['low', 'it'],
      100,
    );
    expect(made.every(({ low, it }) => it === low || it === Number(low) + 1)).toBe(true);
  });

  it('fails on the row on which a parameter is invalid', () => {
    const run = (): unknown =>
      records({ a: svc('sequence'), it: svc('int_between', { min: '{{a}}', max: 2 }) }, ['it'], 5);
    expect(run).toThrow(
      expect.objectContaining({ path: 'generators.it.params.min', code: 'generation_failed' }),
    );
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['datetime_between', { start: '2026-01-01', end: '2026-01-31' }, 'end'],
    ['timestamp', { start: '2026-01-31', end: '2026-01-01T12:00:00Z' }, 'start'],
    ['timestamp', { end: '2026' }, 'end'],
    ['datetime_between', { start: '2026-01-01', end: '2026-01-31T23:59:59.999Z' }, undefined],
    ['datetime_between', { start: '2026-01-31', end: '2026-01-31' }, undefined],
    ['datetime_between', { start: '-1year', end: 'today' }, undefined],
    ['datetime_between', {}, undefined],
    ['date_between', { start: '2026-01-01', end: '2026-01-31' }, undefined],
  ])('%s with %j warns about a day as the later bound: %s', (algorithm, params, key) => {
    const plan = compileSchema({ generators: { it: svc(algorithm, params) }, output: ['it'] }, OPTIONS);
    expect(plan.warnings(1).map(({ path }) => path)).toEqual(
      key === undefined ? [] : [`generators.it.params.${key}`],
    );
  });
});
