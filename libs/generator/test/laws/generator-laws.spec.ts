import { svc, type Json } from '../schema-harness.js';
import { cellLaws, generatorLaws } from './generator-laws.js';

// These definitions use modifiers, compositions and repeats, which are not registered generators. The
// examples of registered generators are tested in registered-generators.spec.ts.
const name = { type: 'model', source: 'en_US/first_names' };

const CELLS: [string, Json][] = [
  ['nullable', { ...name, nullable: 0.5 }],
  ['transform', { ...name, transform: "uppercase(value) + pick('1', '2')" }],
  ['body', { body: '{{uuid}}-{{pick(1, 2, 3)}}' }],
  ['variants', { variants: [{ pattern: 'a{{uuid}}' }, { pattern: 'b', weight: 2 }] }],
  ['output', { let: { n: svc('digits'), m: { computed: 'n + 1' } }, output: { n: ['{{n}}', '{{m}}'] } }],
  ['repeat', { repeat: { count: '0-4', of: { let: { x: name }, body: '{{x}}!' } } }],
  ['repeat unique', { repeat: { count: 3, of: svc('digits'), unique: true } }],
  [
    'params from a step',
    { let: { n: svc('digits'), x: svc('int_between', { min: '{{n}}', max: 50 }) }, computed: 'x' },
  ],
  ['bucket from a step', bucket()],
];

function bucket(): Json {
  const country = { type: 'list', values: ['nl', 'fr'] };
  const town = { type: 'list', source: { asset: 'towns_by_country' }, key: '{{country}}' };
  return { let: { country, town }, output: { country: '{{country}}', town: '{{town}}' } };
}

for (const [title, definition] of CELLS) {
  generatorLaws(title, definition);
  cellLaws(title, definition);
}

generatorLaws('unique', { ...svc('int_between', { max: 100 }), unique: true, nullable: 0.2 });
generatorLaws('unique of arrays', { repeat: { count: 2, of: svc('digits') }, unique: true });
generatorLaws(
  'a body over siblings',
  { body: '{{first}} {{n}}' },
  { siblings: { n: svc('digits'), first: name } },
);
generatorLaws('params from a sibling', svc('int_between', { min: '{{n}}', max: 50 }), {
  siblings: { n: svc('digits') },
});
generatorLaws(
  'where over a sibling',
  { type: 'list', source: 'products', where: 'item.shop == shop' },
  {
    siblings: { shop: { body: 'shop{{pick(0, 1, 2, 3)}}' } },
  },
);
