import { hasMembers, writeExactJson } from '@understudy/expression';

/** A schema to start from. */
export interface Example {
  readonly id: string;
  readonly title: string;
  readonly schema: object;
}

export const EXAMPLES: readonly [Example, ...Example[]] = [
  {
    id: 'people',
    title: 'People',
    schema: {
      generators: {
        id: { type: 'svc', algorithm: 'sequence', params: { start: 1001 } },
        first: { type: 'model', source: 'en_US/first_names' },
        last: { type: 'model', source: 'en_US/last_names' },
        email: { body: '{{slug(first)}}.{{slug(last)}}{{id}}@example.test' },
        age: { type: 'svc', algorithm: 'int_between', params: { min: 18, max: 90 } },
        plan: { type: 'list', values: ['free', { value: 'team', weight: 0.2 }], nullable: 0.1 },
      },
      output: ['id', 'first', 'last', 'email', 'age', 'plan'],
    },
  },
  {
    id: 'orders',
    title: 'Orders with totals',
    schema: {
      generators: {
        order: { type: 'svc', algorithm: 'uuid_v7' },
        customer: { type: 'model', source: 'en_US/full_names' },
        items: { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 8 } },
        price: { type: 'svc', algorithm: 'float_between', params: { min: 2, max: 120, precision: 2 } },
        total: { computed: 'round(items * price, 2)' },
        state: {
          type: 'list',
          values: [
            { value: 'paid', weight: 6 },
            { value: 'shipped', weight: 3 },
            { value: 'refunded', weight: 1 },
          ],
        },
      },
      output: ['order', 'customer', 'items', 'price', 'total', 'state'],
    },
  },
  {
    id: 'addresses',
    title: 'Addresses',
    schema: {
      generators: {
        name: { type: 'model', source: 'en_US/full_names' },
        street: { type: 'model', source: 'en_US/street_addresses' },
        city: { type: 'model', source: 'en_US/cities' },
        company: { type: 'model', source: 'en_US/companies', nullable: 0.4 },
      },
      output: ['name', 'street', 'city', 'company'],
    },
  },
  {
    id: 'texts',
    title: 'Texts',
    schema: {
      generators: {
        title: { type: 'model', source: 'en_US/words', transform: 'capitalize(value)' },
        comment: { type: 'model', source: 'en_US/sentences', generation: { mode: 'sentence' } },
        stars: { type: 'list', values: [1, 2, 3, { value: 4, weight: 3 }, { value: 5, weight: 5 }] },
      },
      output: ['title', 'stars', 'comment'],
    },
  },
  {
    id: 'measurements',
    title: 'Measurements',
    schema: {
      generators: {
        sensor: {
          body: 'sensor-{{number}}',
          let: { number: { type: 'svc', algorithm: 'digits', params: { digits: 3 } } },
        },
        celsius: {
          type: 'statistical',
          distribution: 'normal',
          params: { mean: 21, stddev: 2.5 },
          transform: 'round(value, 1)',
        },
        fahrenheit: { computed: 'round(celsius * 1.8 + 32, 1)' },
        alarm: { computed: 'celsius > 25' },
      },
      output: ['sensor', 'celsius', 'fahrenheit', 'alarm'],
    },
  },
];

/** Writes a schema as JSON with short arrays and objects in one line. */
export function schemaText(schema: unknown): string {
  return `${layOut(schema, '')}\n`;
}

/** The longest line of text that is not divided further. */
const WIDTH = 62;

function layOut(value: unknown, indent: string): string {
  const line = inLine(value);
  if (!hasMembers(value) || (indent !== '' && indent.length + line.length <= WIDTH)) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + layOut(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${layOut(item, inner)}`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (!hasMembers(value)) return writeExactJson(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
