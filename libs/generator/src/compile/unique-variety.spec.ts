import { compileSchema } from './compile-schema.js';
import { type Problem } from '../definition/errors.js';
import { problems, refusalOf, svc, type Json } from '../../test/schema-harness.js';
import { OPTIONS } from '../../test/test-model.js';

function foreseen(definition: Json, count: number, siblings: Json = {}): readonly Problem[] {
  const schema = { generators: { it: { unique: true, ...definition }, ...siblings }, output: ['it'] };
  return compileSchema(schema, OPTIONS).warnings(count);
}

const refused = (definition: Json, count: number): readonly Problem[] =>
  refusalOf(() => foreseen(definition, count)).problems;

const list = (...values: unknown[]): Json => ({ type: 'list', values });
const model = (more: Json = {}): Json => ({ type: 'model', source: 'en_US/first_names', ...more });

describe('SchemaPlan.warnings', () => {
  // Each row has a definition and its number of different values.
  it.each<[Json, number]>([
    [svc('int_between', { min: 5, max: 14 }), 10],
    [svc('int_between', { min: 1, max: 12, except: [3, 4] }), 10],
    [svc('digits'), 10],
    [svc('digits', { digits: 2, strict: true }), 90],
    [svc('digits', { digits: 2, leading_zero: true }), 100],
    [svc('boolean'), 2],
    [svc('boolean', { probability: 1 }), 1],
    [svc('date_between', { start: '2026-01-01', end: '2026-01-31' }), 31],
    [svc('time_between', { start: '10:00', end: '10:01' }), 61],
    [svc('timestamp', { start: '2026-01-01', end: '2026-01-01T00:00:09Z' }), 10],
    [svc('sequence', { step: 0 }), 1],
    [list('a', 'b', 'c', { value: 'd', weight: 0 }), 3],
    [list('a', 'b', 'b', { value: 'a', weight: 7 }), 2],
    [{ type: 'list', values: [1, 2, 3, 4], where: 'item > 2' }, 2],
    [{ type: 'list', source: 'towns' }, 3],
    [{ type: 'statistical', mode: 'categorical', values: ['a', 'b'] }, 2],
    [model({ generation: { mode: 'real_word', params: { prefix: 'Al' } } }), 3],
    [{ ...svc('int_between', { min: 1, max: 3 }), transform: "concat('n', value)" }, 3],
  ])('predicts that %j runs out after its %i values', (definition, most) => {
    expect(() => foreseen(definition, most)).not.toThrow();
    expect(refused(definition, most + 1)).toEqual([
      {
        path: 'generators.it',
        message: `unique cannot give ${most + 1} different values: there are at most ${most}. Let the generator produce more values, or request fewer`,
      },
    ]);
  });

  it('knows the number of values of a rounded range', () => {
    const definition = svc('float_between', { min: 0, max: 1, precision: 1 });
    expect(foreseen(definition, 11)).toEqual([]);
    expect(refused(definition, 12)).toHaveLength(1);
  });

  it('warns if nine of ten draws would repeat a value', () => {
    const thousand = list(...Array.from({ length: 1000 }, (_, i) => i));
    expect(foreseen(thousand, 900)).toEqual([]);
    expect(foreseen(thousand, 901)).toEqual([
      {
        path: 'generators.it',
        message:
          'unique may run out of values: after about 900 different values most draws repeat one, and 901 records are requested. Let the generator produce more values, or request fewer',
      },
    ]);
  });

  it('does not warn about a range of integers, of which no value is drawn twice', () => {
    expect(foreseen(svc('int_between', { min: 1, max: 1000 }), 1000)).toEqual([]);
  });

  it('takes weights into account and warns long before the last value', () => {
    const skewed = list(...Array.from({ length: 50 }, (_, i) => ({ value: i, weight: 1 / (i + 1) ** 3 })));
    expect(foreseen(skewed, 2)).toEqual([]);
    expect(foreseen(skewed, 25)).toHaveLength(1);
  });

  it('warns about models with few words, and takes constraints into account', () => {
    expect(foreseen(model(), 10)).toEqual([]);
    expect(foreseen(model(), 100_000)).toHaveLength(1);
    expect(foreseen(model({ constraints: { starts_with: 'Ro' } }), 100)).toHaveLength(1);
    expect(foreseen(model({ generation: { mode: 'sentence' } }), 100_000)).toEqual([]);
  });

  it('does not count the rows without a value', () => {
    const ten = svc('digits');
    expect(foreseen({ ...ten, nullable: 0.5 }, 16)).toEqual([]);
    expect(foreseen({ ...ten, nullable: 0.5 }, 40)).toHaveLength(1);
  });

  it.each<Json>([
    svc('uuid_v4'),
    svc('sequence'),
    svc('gaussian'),
    { body: '{{n}}' },
    { computed: 'n' },
    { ...svc('digits'), transform: 'value + n' },
    { ...svc('digits'), transform: 'concat(value, uuid())' },
    list('a{{n}}', 'b'),
    { type: 'list', source: 'towns', where: 'n > 3 || true' },
    svc('int_between', { min: 1, max: '{{n}}' }),
    { ...svc('digits'), unique: false },
  ])('does not warn about %j, whose number of values is unknown', (definition) => {
    expect(foreseen(definition, 100_000, { n: svc('sequence') })).toEqual([]);
  });

  it('does not warn about generators that no output needs', () => {
    const schema = {
      generators: { it: svc('sequence'), no: { ...svc('digits'), unique: true } },
      output: ['it'],
    };
    expect(compileSchema(schema, OPTIONS).warnings(50)).toEqual([]);
  });

  it('reports all warnings together', () => {
    const generators = { a: { ...svc('digits'), unique: true }, b: { ...list('x'), unique: true } };
    const plan = compileSchema({ generators, output: ['a', 'b'] }, OPTIONS);
    expect(refusalOf(() => plan.warnings(11)).problems.map(({ path }) => path)).toEqual([
      'generators.a',
      'generators.b',
    ]);
  });
});

describe('a repeat with unique items', () => {
  const repeat = (count: unknown, of: Json): Json => ({ repeat: { count, of, unique: true } });

  it.each([4, '4-9', '2 * 2'])('is refused if there are fewer values than %j', (count) => {
    expect(problems(repeat(count, list('a', 'b', 'c')))).toEqual([
      {
        path: 'generators.it.repeat',
        message: 'unique cannot give 4 different values: the generator has at most 3',
      },
    ]);
  });

  it.each([3, '2-9', 'pick(11)'])('is accepted if there may be enough values for %j', (count) => {
    const schema = { generators: { it: repeat(count, list('a', 'b', 'c')) }, output: ['it'] };
    expect(() => compileSchema(schema, OPTIONS)).not.toThrow();
  });

  it('is accepted if null fills the array', () => {
    const schema = { generators: { it: repeat(9, { ...list('a'), nullable: 0.9 }) }, output: ['it'] };
    expect(() => compileSchema(schema, OPTIONS)).not.toThrow();
  });
});
