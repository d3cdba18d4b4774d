import { ByteSink } from '@understudy/bytes';
import { DefinitionError } from '@understudy/generator';
import fc from 'fast-check';

import { WrapperTemplate } from './wrapper-template.js';

const CALL = { seed: 1, count: 2, params: { id: '7' } };
const OBJECTS = [{ a: 1 }, { a: 2 }];
const JSON_OF_RECORDS = Buffer.from('{"a":1},{"a":2}');

function render(wrapper: unknown, call = CALL): unknown {
  const sink = new ByteSink(64);
  WrapperTemplate.compile(wrapper).write(sink, { json: JSON_OF_RECORDS, objects: OBJECTS }, call);
  return JSON.parse(Buffer.from(sink.take()).toString()) as unknown;
}

describe('WrapperTemplate', () => {
  it('renders a wrapper without templates unchanged', () => {
    const json = fc.jsonValue({ noUnicodeString: false }).filter((value) => {
      const text = JSON.stringify(value);
      return !text.includes('{{') && !text.includes('__proto__');
    });
    fc.assert(fc.property(json, (value) => expect(render(value)).toEqual(JSON.parse(JSON.stringify(value)))));
  });

  it('keeps the type of a template that is a single expression, and renders other templates as text', () => {
    const wrapper = {
      all: '{{records}}',
      spaced: '{{ records }}',
      count: '{{count}}',
      id: '{{params.id}}',
      last: '{{last(records).a}}',
      text: '{{count}} of {{params.id}}',
      escaped: '\\{{count}}',
      nothing: '{{params.none}}',
    };
    expect(render(wrapper)).toEqual({
      all: OBJECTS,
      spaced: OBJECTS,
      count: 2,
      id: '7',
      last: 2,
      text: '2 of 7',
      escaped: '{{count}}',
      nothing: null,
    });
  });

  it('derives random values from the seed and the path of the template', () => {
    const wrapper = ['{{uuid()}}', '{{uuid()}}'];
    const [one, other] = render(wrapper) as string[];
    expect(one).not.toBe(other);
    expect(render(wrapper)).toEqual([one, other]);
    expect(render(wrapper, { ...CALL, seed: 2 })).not.toEqual([one, other]);
  });

  it('needs records as objects only if a template reads their contents', () => {
    expect(WrapperTemplate.compile({ a: ['{{records}}', '{{count}}'] }).readsRecords).toBe(false);
    expect(WrapperTemplate.compile({ a: ['{{length(records)}}'] }).readsRecords).toBe(true);
  });

  it('refuses a wrapper with the paths of all its problems', () => {
    const wrapper: unknown = JSON.parse('{"a":["{{","{{unknown}}"],"b":{"__proto__":{"x":1}},"c":"{{count"}');
    try {
      WrapperTemplate.compile(wrapper);
      throw new Error('the wrapper was accepted');
    } catch (error) {
      const { problems } = error as DefinitionError;
      expect(problems.map(({ path }) => path)).toEqual(['a[0]', 'a[1]', 'b.__proto__', 'c']);
    }
    const many = Array.from({ length: 1_001 }, () => '{{count}}');
    expect(() => WrapperTemplate.compile(many)).toThrow('at most 1000 templates');
  });

  it('refuses to write a value whose shared parts make it too large', () => {
    const big = '[records, records, records, records, records, records, records, records]';
    const records = Array.from({ length: 5_000 }, () => ({ a: 'x'.repeat(400) }));
    const sink = new ByteSink(64);
    const template = WrapperTemplate.compile(`{{${big}}}`);
    expect(() => template.write(sink, { json: JSON_OF_RECORDS, objects: records }, CALL)).toThrow('8 MiB');
  });
});
