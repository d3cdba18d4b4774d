import { svc, records, values, problems, type Json } from '../../test/schema-harness.js';
import { OPTIONS } from '../../test/test-model.js';
import { compileSchema, GenerationError } from '../index.js';

describe('modifiers', () => {
  it('nullable does not change the values that it keeps', () => {
    const plain = values(svc('uuid_v4'), 400);
    const nullable = values({ ...svc('uuid_v4'), nullable: 0.25 }, 400);
    const nulls = nullable.filter((value) => value === null).length;
    expect(nulls).toBeGreaterThan(60);
    expect(nulls).toBeLessThan(140);
    nullable.forEach((value, i) => expect([plain[i], null]).toContain(value));
  });

  it('nullable does not depend on the value', () => {
    const definition = svc('float_between', { precision: 15 });
    const plain = values(definition, 2000).map(Number);
    const nullable = values({ ...definition, nullable: 0.5 }, 2000);
    const gone = plain.filter((_, row) => nullable[row] === null);
    expect(Math.abs(gone.reduce((sum, value) => sum + value, 0) / gone.length - 0.5)).toBeLessThan(0.03);
  });

  it.each([
    [true, 40, 160],
    [0, 0, 0],
    [false, 0, 0],
    [1, 1000, 1000],
  ])('nullable: %j', (nullable, least, most) => {
    const nulls = values({ ...svc('digits'), nullable }, 1000).filter((value) => value === null).length;
    expect(nulls).toBeGreaterThanOrEqual(least);
    expect(nulls).toBeLessThanOrEqual(most);
  });

  it('transform reads the value and its siblings, and keeps nulls', () => {
    const generators = {
      n: svc('sequence'),
      it: { type: 'list', values: ['a'], transform: 'concat(uppercase(value), n)', nullable: 0.5 },
    };
    const made = records(generators, ['it'], 20).map((record) => record['it']);
    made.forEach((value, i) => expect([null, `A${i + 1}`]).toContain(value));
    expect(new Set(made).size).toBeGreaterThan(2);
  });

  it('unique exhausts a range and ignores nulls', () => {
    const made = values({ ...svc('int_between', { min: 1, max: 20 }), unique: true, nullable: 0.5 }, 30);
    const kept = made.filter((value) => value !== null);
    expect(new Set(kept).size).toBe(kept.length);
    expect(made.length - kept.length).toBeGreaterThan(5);
  });

  it('unique compares the results of transform', () => {
    const definition = { ...svc('int_between', { min: 1, max: 20 }), transform: 'value % 2', unique: true };
    expect(new Set(values(definition, 2))).toEqual(new Set([0, 1]));
    expect(() => values(definition, 3)).toThrow(GenerationError);
  });

  it('unique fails after 200 attempts with its path', () => {
    const list = { type: 'list', values: [1, 2, 3], unique: true };
    expect(values(list, 3)).toHaveLength(3);
    expect(() => values(list, 4)).toThrow(
      expect.objectContaining({ path: 'generators.it', code: 'generation_failed' }),
    );
    expect(() => values(list, 4)).toThrow(
      '200 attempts after 3 different values: the attempts gave 3 different ones',
    );
  });

  it('unique names a generator that always gives the same value', () => {
    const name = { type: 'list', values: ['☃', '☂'] };
    const it = { body: '{{slug(name)}}@x.test', unique: true };
    expect(() => records({ name, it }, ['it'], 2)).toThrow(
      'after 1 different values: the attempts gave the same value each time; let',
    );
  });

  it('unique does not require ordered records for uuids', () => {
    const ordered = (generators: Json) => compileSchema({ generators, output: ['it'] }, OPTIONS).ordered;
    const id = svc('uuid_v4');
    expect(ordered({ it: { ...id, unique: true } })).toBe(false);
    expect(values({ ...id, unique: true }, 50)).toEqual(values(id, 50));
    expect(ordered({ it: { ...svc('digits'), unique: true } })).toBe(true);
    // The record contains the same uuid several times, so the value is not unique.
    expect(ordered({ id, it: { body: '{{id}}', unique: true } })).toBe(true);
  });

  it.each<[Json, string]>([
    [{ nullable: 1.5 }, 'nullable'],
    [{ nullable: '0.5' }, 'nullable'],
    [{ unique: 1 }, 'unique'],
    [{ transform: 5 }, 'transform'],
    [{ transform: 'upercase(value)' }, 'transform'],
    [{ nullabel: true }, 'nullabel'],
  ])('refuses %j', (modifiers, path) => {
    expect(problems({ ...svc('digits'), ...modifiers }).map((problem) => problem.path)).toEqual([
      `generators.it.${path}`,
    ]);
  });
});
