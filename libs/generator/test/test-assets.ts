/** The training values of the test model of first names. */
export const NAMES: readonly string[] = [
  'Ada',
  'Adam',
  'Alan',
  'Albert',
  'Alberta',
  'Anna',
  'Annabel',
  'Bert',
  'Bertram',
  'Christa',
  'Christian',
  'Hanna',
  'Johan',
  'Johanna',
  'Robert',
  'Roberta',
  'Rosalind',
  'Rosanna',
];

/** List assets, as a host program would load them from JSON files. */
const ASSETS = new Map<string, unknown>([
  ['en_US/first_names', NAMES],
  ['towns', ['Delft', { value: 'Lyon', weight: 3 }, { name: 'Porto', country: 'pt' }]],
  [
    'towns_by_country',
    { nl: ['Delft', 'Gouda', 'Hoorn'], fr: [{ value: 'Lyon', weight: 2 }, 'Nice'], __none__: [] },
  ],
  [
    'products',
    Array.from({ length: 60 }, (_, i) => ({ sku: `P${i}`, price: i * 5, shop: `shop${i % 4}`, value: i })),
  ],
  ['braces', ['{{n}}', { value: '{{nobody}}', weight: 2 }, { text: '{{' }]],
  ['numbers', Array.from({ length: 40 }, (_, i) => ({ value: i, weight: i % 5 }))],
  ['no_array', 'Delft'],
  ['empty', []],
]);

export const assets = (name: string): unknown => ASSETS.get(name);
