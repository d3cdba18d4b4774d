import { cellLaws, generatorLaws } from './generator-laws.js';

const svc = (algorithm: string, params: Record<string, unknown> = {}): unknown => ({
  type: 'svc',
  algorithm,
  params,
});
const name = { type: 'model', source: 'en_US/first_names' };

const CELLS: [string, unknown][] = [
  ['uuid_v4', svc('uuid_v4')],
  ['nanoid', svc('nanoid')],
  ['int_between', svc('int_between', { min: 0, max: 50, except: [3, 4, 9] })],
  ['float_between', svc('float_between')],
  ['boolean', svc('boolean')],
  ['datetime_between', svc('datetime_between')],
  ['date_between', svc('date_between')],
  ['time_between', svc('time_between')],
  ['timestamp', svc('timestamp')],
  ['gaussian', svc('gaussian')],
  ['exponential', svc('exponential')],
  ['digits', svc('digits', { digits: 18 })],
  ['list', { type: 'list', values: ['a', 'b', { value: 'c', weight: 4 }] }],
  ['list with where', { type: 'list', values: [1, 2, 3, 4], where: 'item > pick(0, 1, 2)' }],
  ['model', name],
  ['model with constraints', { ...name, constraints: { starts_with: 'A', max_length: 6 } }],
  ['nullable', { ...name, nullable: 0.5 }],
  ['transform', { ...name, transform: "uppercase(value) + pick('1', '2')" }],
  ['body', { body: '{{uuid}}-{{pick(1, 2, 3)}}' }],
  ['variants', { variants: [{ pattern: 'a{{uuid}}' }, { pattern: 'b', weight: 2 }] }],
  ['output', { let: { n: svc('digits'), m: { computed: 'n + 1' } }, output: { n: ['{{n}}', '{{m}}'] } }],
  ['repeat', { repeat: { count: '0-4', of: { let: { x: name }, body: '{{x}}!' } } }],
  ['repeat unique', { repeat: { count: 3, of: svc('digits'), unique: true } }],
  ['templated params', { let: { low: svc('digits') }, output: ['{{low}}'] }],
];

for (const [title, definition] of CELLS) {
  generatorLaws(title, definition);
  cellLaws(title, definition);
}

generatorLaws('sequence', svc('sequence'));
generatorLaws('uuid_v7', svc('uuid_v7'));
generatorLaws('ulid', svc('ulid'));
generatorLaws('unique', {
  type: 'svc',
  algorithm: 'int_between',
  params: { max: 100 },
  unique: true,
  nullable: 0.2,
});
generatorLaws('a body over siblings', { body: '{{first}} {{n}}' }, { n: svc('digits'), first: name });
generatorLaws(
  'params from a sibling',
  { ...(svc('int_between', { min: '{{n}}', max: 50 }) as object) },
  { n: svc('digits') },
);
