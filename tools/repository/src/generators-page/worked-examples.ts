import type { Json } from './sample-values.js';

/** The first schema of the page. */
export const PEOPLE: Json = {
  generators: {
    id: { type: 'svc', algorithm: 'sequence', params: { start: 1001 } },
    first: { type: 'model', source: 'en_US/first_names' },
    last: { type: 'model', source: 'en_US/last_names' },
    email: { body: '{{slug(first)}}.{{slug(last)}}@example.test', unique: true },
    age: { type: 'svc', algorithm: 'int_between', params: { min: 18, max: 90 } },
    plan: { type: 'list', values: ['free', { value: 'team', weight: 0.2 }], nullable: 0.1 },
  },
  output: ['id', 'first', 'last', 'email', 'age', 'plan'],
};

/** The generator to which the page applies each modifier. */
export const DICE: Json = { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 6 } };

export const MODIFIERS: readonly Json[] = [
  {},
  { transform: 'value * 10' },
  { unique: true },
  { nullable: 0.3 },
];

/** A schema with templates in params: the town depends on the country, and `high` on `low`. */
export const THREADED: Json = {
  generators: {
    country: { type: 'list', values: ['nl', 'fr'] },
    town: { type: 'list', source: { asset: 'towns' }, key: '{{country}}' },
    low: { type: 'svc', algorithm: 'int_between', params: { min: 10, max: 50 } },
    high: { type: 'svc', algorithm: 'int_between', params: { min: '{{low}}', max: '{{low + 10}}' } },
  },
  output: ['country', 'town', 'low', 'high'],
};

/** One inline composition for each output form. */
export const INLINE: readonly (readonly [title: string, definition: Json])[] = [
  [
    '`body` returns a text:',
    { let: { n: { type: 'svc', algorithm: 'digits', params: { digits: 4 } } }, body: 'INV-{{n}}' },
  ],
  [
    '`variants` picks one of several texts by weight. The default weight is 1, and a variant of weight 0 is never picked:',
    { variants: [{ pattern: 'Hello {{pick("you", "there")}}', weight: 3 }, { pattern: 'Good day' }] },
  ],
  [
    '`output` returns JSON. Each text in it is a template:',
    {
      let: {
        net: { type: 'svc', algorithm: 'float_between', params: { min: 10, max: 99 } },
        tax: { computed: 'round(net * 0.21, 2)' },
      },
      output: { net: '{{net}}', total: '{{round(net + tax, 2)}}', note: 'tax {{tax}}' },
    },
  ],
  ['`computed` returns the value of an expression:', { computed: 'pick(1, 2, 3) * 100' }],
  [
    '`repeat` returns an array. `count` is a number, a range or an expression:',
    { repeat: { count: '1-3', of: { type: 'list', values: ['red', 'green', 'blue'] }, unique: true } },
  ],
];

/** A composition to register. */
export const BADGE: Json = {
  name: '@acme/people:badge',
  version: '1.0.0',
  description: 'A badge number with the initials of its owner.',
  params: {
    owner: { type: 'string', required: true },
    digits: { type: 'integer', default: 4 },
  },
  let: {
    number: { type: 'svc', algorithm: 'digits', params: { digits: '{{digits}}', leading_zero: true } },
    initial: { computed: 'uppercase(substring(owner, 0, 1))' },
  },
  body: '{{initial}}-{{number}}',
};

/** A composition that uses `BADGE`. */
export const STAFF: Json = {
  name: '@acme/people:staff',
  params: { size: { type: 'integer', default: 2 } },
  let: {
    members: {
      repeat: {
        count: 'size',
        of: {
          let: {
            name: { type: 'model', source: 'en_US/first_names' },
            badge: { use: '@acme/people:badge', params: { owner: '{{name}}' } },
          },
          output: { name: '{{name}}', badge: '{{badge}}' },
        },
      },
    },
  },
  output: '{{members}}',
};

/** A schema that uses both registered compositions. */
export const REGISTERED: Json = {
  generators: {
    badge: { use: '@acme/people:badge', params: { owner: 'Ada', digits: 6 } },
    staff: { use: '@acme/people:staff' },
  },
  output: ['badge', 'staff'],
};
