import { compileSchema } from '../../src/compile/compile-schema.js';
import { OPTIONS } from '../test-model.js';

/**
 * The schema whose bytes are pinned for a seed. `npm run check` fails if the bytes change but ENGINE_VERSION
 * does not. CHANGELOG.md must name the change, because users who repeat a seed of an older version need to
 * know that the data differ.
 */
const SCHEMA = {
  generators: {
    id: { type: 'svc', algorithm: 'sequence', params: { start: 1000, step: 5 } },
    uuid_v4: { type: 'svc', algorithm: 'uuid_v4' },
    uuid_v7: { type: 'svc', algorithm: 'uuid_v7' },
    ulid: { type: 'svc', algorithm: 'ulid' },
    nanoid: { type: 'svc', algorithm: 'nanoid' },
    int: { type: 'svc', algorithm: 'int_between', params: { min: -5, max: 5, except: [0] } },
    float: { type: 'svc', algorithm: 'float_between', params: { min: 0, max: 1000 } },
    boolean: { type: 'svc', algorithm: 'boolean' },
    datetime: { type: 'svc', algorithm: 'datetime_between', params: { start: '-1year', end: 'now' } },
    date: { type: 'svc', algorithm: 'date_between' },
    time: { type: 'svc', algorithm: 'time_between' },
    timestamp: { type: 'svc', algorithm: 'timestamp' },
    gaussian: { type: 'svc', algorithm: 'gaussian' },
    exponential: { type: 'svc', algorithm: 'exponential' },
    digits: { type: 'svc', algorithm: 'digits', params: { digits: 18 } },
    list: { type: 'list', values: ['a', { value: 'b', weight: 3 }, { code: 'c' }] },
    name: { type: 'model', source: 'en_US/first_names', nullable: 0.25 },
    email: { body: "{{lowercase(coalesce(name, 'nobody'))}}.{{uuid}}@example.test" },
    words: { computed: "[title('o’neil MCDONALD'), ascii('Ольга, 東京, Çelik'), slug('Müller & 김')]" },
    tags: { repeat: { count: '1-3', of: { type: 'list', values: ['x', 'y', 'z'] }, unique: true } },
    nested: {
      let: { n: { type: 'svc', algorithm: 'int_between', params: { max: 9 } } },
      output: { n: '{{n}}', doubled: '{{n * 2}}', text: 'n={{n}}', name: '{{name}}' },
    },
  },
} as const;

describe('golden records', () => {
  it('seed 42 gives the pinned bytes', () => {
    const plan = compileSchema({ ...SCHEMA, output: Object.keys(SCHEMA.generators) }, OPTIONS);
    const lines = [...plan.records(42, 0, 3)].map((record) =>
      JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
    );
    expect(lines.join('\n')).toMatchSnapshot();
  });
});
