import { compileSchema } from '../../src/compile/compile-schema.js';
import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { asText, svc, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

/**
 * Returns the bytes of a definition at seed 42. The tests cover the examples of every registered generator,
 * and every modifier. As for records.spec.ts, `npm run check` fails if a value changes but ENGINE_VERSION
 * does not. The values of a new generator need no new version.
 */
const golden = (definition: Json, rows: number): string => {
  const cursor = compileSchema({ generators: { it: definition }, output: ['it'] }, OPTIONS).open(42);
  return Array.from({ length: rows }, (_, row) => {
    cursor.moveTo(row);
    return asText(cursor.values[0]);
  }).join('\n');
};

for (const type of CORE_REGISTRY.all()) {
  describe(`golden ${type.name}`, () => {
    it.each(type.examples)('%j', (example) => {
      expect(golden(example, 3)).toMatchSnapshot();
    });

    it.each(type.examples)('with modifiers: %j', (example) => {
      const modified = { ...example, transform: '[value, pick(1, 2, 3)]', unique: true, nullable: 0.4 };
      expect(golden(modified, 5)).toMatchSnapshot();
    });
  });
}

describe('golden modifiers', () => {
  it.each<Json>([
    { unique: true },
    { nullable: true },
    { nullable: 0.5 },
    { transform: 'value * 2' },
    { transform: "concat('n', value)", unique: true },
    { unique: true, nullable: 0.5 },
    { transform: 'value % 20', unique: true, nullable: 0.5 },
  ])('%j', (modifiers) => {
    expect(golden({ ...svc('int_between', { min: 1, max: 30 }), ...modifiers }, 12)).toMatchSnapshot();
  });
});

describe('golden forms', () => {
  it.each<Json>([
    { computed: 'pick(1, 2, 3) + 1' },
    { body: '{{uuid}} {{pick(1, 2, 3)}}' },
    { variants: [{ pattern: 'a{{uuid}}' }, { pattern: 'b{{pick(1, 2)}}', weight: 2 }] },
    { let: { n: svc('digits'), m: { computed: 'n + 1' } }, output: { n: '{{n}}', text: '{{n}} < {{m}}' } },
    { repeat: { count: 2, of: svc('digits', { digits: 3 }) } },
    { repeat: { count: '1-3', of: { repeat: { count: 'pick(1, 2)', of: svc('nanoid', { length: 4 }) } } } },
    { repeat: { count: 4, of: svc('int_between', { min: 1, max: 5 }), unique: true } },
    { let: { n: svc('digits') }, repeat: { count: 'n', of: svc('sequence') } },
    {
      let: { low: svc('digits'), x: svc('int_between', { min: '{{low}}', max: 9 }) },
      output: ['{{low}}', '{{x}}'],
    },
    { type: 'list', source: 'towns_by_country', key: 'nl' },
    { type: 'list', source: { asset: 'products' }, where: 'item.price > pick(10, 200)' },
  ])('%j', (definition) => {
    expect(golden(definition, 4)).toMatchSnapshot();
  });
});
