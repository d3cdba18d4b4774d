// A generator outside of the library, written as the recipe "A generator type" in CONTRIBUTING describes.
// @understudy/generator exports everything that it needs, and @understudy/random has the type of the random
// stream.
import { compileDefinition } from '../../src/compile/compile-definition.js';
import { compileSchema } from '../../src/compile/compile-schema.js';
import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { defineComposition } from '../../src/registry/define-composition.js';
import { defineGenerator } from '../../src/registry/define-generator.js';
import { DefinitionError, GenerationError } from '../../src/definition/errors.js';
import { type Parameters } from '../../src/registry/parameters.js';
import type { RandomStream } from '@understudy/random';
import { declarationLaws } from '../laws/declaration-laws.js';
import { cellLaws, generatorLaws } from '../laws/generator-laws.js';

const hexColor = defineGenerator({
  name: '@acme/colors:hex',
  version: '1.0.0',
  description: 'A colour as CSS writes it, #rrggbb.',
  params: {
    lightest: {
      type: 'integer',
      default: 255,
      minimum: 0,
      maximum: 255,
      description: 'Most of each channel.',
    },
    darkest: { type: 'integer', default: 0, minimum: 0, maximum: 255, description: 'Least of each channel.' },
    prefix: { type: 'string', default: '#', values: ['#', '0x', ''], description: 'What comes first.' },
  },
  output: 'string',
  examples: [
    { use: '@acme/colors:hex' },
    { use: '@acme/colors:hex', params: { darkest: 128, prefix: '0x' } },
  ],
  build(parameters) {
    const [darkest, lightest] = readChannels(parameters);
    const prefix = parameters.string('prefix');
    const channel = (random: RandomStream): string =>
      (darkest + random.below(lightest - darkest + 1)).toString(16).padStart(2, '0');
    return (random) => prefix + channel(random) + channel(random) + channel(random);
  },
});

/** Checks that `darkest` is at most `lightest`, which the manifest cannot express. */
function readChannels(parameters: Parameters): [number, number] {
  const [darkest, lightest] = [parameters.integer('darkest'), parameters.integer('lightest')];
  if (darkest > lightest) throw parameters.fault('darkest', `is above lightest, ${lightest}`);
  return [darkest, lightest];
}

/** A second generator. It has constraints, uses a separate random stream, and reads the reference instant. */
const stamp = defineGenerator({
  name: '@acme/colors:stamp',
  description: 'A year of the last ten, sometimes with a mark.',
  params: { mark: { type: 'string', default: '!', description: 'The mark.' } },
  constraints: { max_length: { type: 'integer', minimum: 4, description: 'Most characters.' } },
  output: 'string',
  examples: [{ use: '@acme/colors:stamp' }, { use: '@acme/colors:stamp', constraints: { max_length: 4 } }],
  build: (parameters, constraints, { nowMs }) => {
    const year = 1970 + Math.floor(nowMs / 31_556_952_000);
    const most = constraints.has('max_length') ? constraints.integer('max_length') : Infinity;
    return {
      streams: ['mark'],
      draw(random, _, stream) {
        const text = String(year - random.below(10));
        return stream(0).float53() < 0.5 ? text : (text + parameters.string('mark')).slice(0, most);
      },
    };
  },
});

const registry = CORE_REGISTRY.with(hexColor, stamp);
const options = { models: () => undefined, nowMs: Date.UTC(2026, 0, 15), registry };

/** Returns values of the generator `it` of a schema. */
function values(generators: Record<string, unknown>, count: number): unknown[] {
  const plan = compileSchema({ generators, output: ['it'] }, options);
  return [...plan.records(1, 0, count)].map((record) => record['it']);
}

for (const type of [hexColor, stamp]) {
  declarationLaws(type, { options });
  for (const example of type.examples) {
    generatorLaws(JSON.stringify(example), example, { options });
    cellLaws(JSON.stringify(example), example, { options });
  }
}

describe('a generator from outside', () => {
  it('[2.9/4] is used by its name, with params', () => {
    for (const value of values({ it: { use: '@acme/colors:hex', params: { darkest: 240 } } }, 50)) {
      expect(value).toMatch(/^#(f[0-9a-f]){3}$/);
    }
  });

  it('accepts templates as params, and builds once for each set of values', () => {
    const generators = {
      grey: { type: 'svc', algorithm: 'int_between', params: { max: 255 } },
      it: { use: '@acme/colors:hex', params: { darkest: '{{grey}}', lightest: '{{grey}}' } },
    };
    const plan = compileSchema({ generators, output: ['grey', 'it'] }, options);
    for (const { grey, it: value } of plan.records(1, 0, 50)) {
      const channel = Number(grey).toString(16).padStart(2, '0');
      expect(value).toBe(`#${channel}${channel}${channel}`);
    }
  });

  it('accepts modifiers', () => {
    const black = { use: '@acme/colors:hex', params: { lightest: 0 } };
    expect(values({ it: { ...black, transform: 'value + "ff"' } }, 1)).toEqual(['#000000ff']);
    expect(new Set(values({ it: { ...black, nullable: 0.5 } }, 40))).toEqual(new Set(['#000000', null]));
    expect(() => values({ it: { ...black, unique: true } }, 2)).toThrow(GenerationError);
  });

  it('can be part of a composition, which passes params to it', () => {
    const pair = defineComposition(
      {
        name: '@acme/colors:pair',
        params: { least: { type: 'integer', default: 0 } },
        let: {
          a: { use: '@acme/colors:hex', params: { darkest: '{{least}}' } },
          b: { use: '@acme/colors:hex', params: { darkest: '{{least}}' } },
        },
        body: '{{a}} {{b}}',
      },
      options,
    );
    const plan = compileSchema(
      { generators: { it: { use: '@acme/colors:pair', params: { least: 250 } } }, output: ['it'] },
      { ...options, registry: registry.with(pair) },
    );
    for (const { it: value } of plan.records(1, 0, 20)) expect(value).toMatch(/^(#(f[a-f]){3} ?){2}$/);
  });

  it('can be a column rule', () => {
    const plan = compileDefinition({ use: '@acme/colors:hex' }, { ...options, path: 'rule' });
    expect(plan.value({ a: 1, b: 2, c: 3, d: 4 }, 0, 1, 0, [])).toMatch(/^#[0-9a-f]{6}$/);
  });

  it.each<[Record<string, unknown>, string, string]>([
    [{ darkest: 300 }, 'params.darkest', 'must be from 0 to 255, got 300'],
    [{ darkest: 9, lightest: 8 }, 'params.darkest', 'is above lightest, 8'],
    [{ darkst: 1 }, 'params.darkst', 'did you mean "darkest"?'],
    [{ prefix: '%' }, 'params.prefix', 'must be one of #, 0x, '],
  ])('reports faults before the first row: %j', (params, path, message) => {
    const compile = (): unknown => values({ it: { use: '@acme/colors:hex', params } }, 1);
    expect(compile).toThrow(DefinitionError);
    expect(compile).toThrow(`generators.it.${path}: `);
    expect(compile).toThrow(message);
  });

  it('reports faults on the row on which a template causes them', () => {
    const params = { darkest: '{{n}}', lightest: 1 };
    const generators = { n: { type: 'svc', algorithm: 'sequence' }, it: { use: '@acme/colors:hex', params } };
    expect(values(generators, 1)).toEqual(['#010101']);
    expect(() => values(generators, 2)).toThrow(
      new GenerationError('generators.it.params.darkest', 'is above lightest, 1'),
    );
  });

  it('is known only in the registry that contains it', () => {
    expect(registry.find('@acme/colors:hex')).toBe(hexColor);
    expect(registry.names().slice(0, -2)).toEqual(CORE_REGISTRY.names());
    expect(() => registry.with(hexColor)).toThrow('@acme/colors:hex is already registered');
    expect(() => registry.with({ ...hexColor, name: 'hex' })).toThrow(RangeError);
    const schema = { generators: { it: { use: '@acme/colors:hex' } }, output: ['it'] };
    expect(() => compileSchema(schema, { ...options, registry: CORE_REGISTRY })).toThrow(
      'generators.it.use: no generator of this name is registered',
    );
    const misspelt = { generators: { it: { use: '@acme/colours:hex' } }, output: ['it'] };
    expect(() => compileSchema(misspelt, options)).toThrow('did you mean "@acme/colors:hex"?');
  });
});
