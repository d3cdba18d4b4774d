import { svc, records, values, refusal, type Json } from '../../test/schema-harness.js';
import { BUDGETS } from '../index.js';

describe('budgets', () => {
  const many = (count: number): Json =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`g${i}`, svc('digits')]));

  it('accepts 1000 generators, including nested ones, and refuses 1001', () => {
    expect(records(many(BUDGETS.generators), ['g0'])).toHaveLength(1);
    expect(refusal(many(BUDGETS.generators + 1), ['g0']).code).toBe('limit_exceeded');
    expect(refusal({ ...many(999), it: { let: { x: svc('digits') }, body: 'x' } }).code).toBe(
      'limit_exceeded',
    );
  });

  it('accepts 64 levels of JSON and refuses 65', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)]);
    // schema, generators, it, output: four levels around
    expect(records({ it: { output: nest(61) } }, ['it'])).toHaveLength(1);
    expect(refusal({ it: { output: nest(62) } }).code).toBe('limit_exceeded');
  });

  it('stops a record with more than 100,000 values', () => {
    const grid = (a: number, b: number): Json => ({
      repeat: { count: a, of: { repeat: { count: b, of: svc('digits') } } },
    });
    expect(values({ repeat: { count: 100_000, of: { type: 'list', values: [1] } } }, 1).flat()).toHaveLength(
      100_000,
    );
    expect(() => values(grid(10_000, 10_000), 1)).toThrow(
      expect.objectContaining({ code: 'limit_exceeded' }),
    );
    expect(refusal({ it: { repeat: { count: 100_001, of: svc('digits') } } }).code).toBe('limit_exceeded');
  });

  it('stops a value whose shared parts multiply its size', () => {
    const steps: Json = { s0: { output: ['x', 'x'] } };
    for (let i = 1; i < 40; i += 1) steps[`s${i}`] = { output: [`{{s${i - 1}}}`, `{{s${i - 1}}}`] };
    expect(() => values({ let: steps, output: '{{s39}}' }, 1)).toThrow(
      expect.objectContaining({ code: 'limit_exceeded' }),
    );
  });
});
