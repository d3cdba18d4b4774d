import { svc, records, refusal, problems } from '../../test/schema-harness.js';
import { OPTIONS } from '../../test/test-model.js';
import { compileSchema, DefinitionError } from '../index.js';

describe('a schema', () => {
  it('emits the names of output in order, and evaluates generators in order of dependency', () => {
    const [record] = records(
      { c: { computed: 'b + 1' }, b: { computed: 'a * 2' }, a: svc('sequence', { start: 5 }) },
      ['c', 'a'],
    );
    expect(JSON.stringify(record)).toBe('{"c":11,"a":5}');
  });

  it('reports a cycle with its path', () => {
    expect(
      refusal({ a: { body: '{{b}}' }, b: { body: '{{c}}' }, c: { body: '{{b}}' } }, ['a']).problems,
    ).toEqual([{ path: 'generators.b', message: 'refers to itself: b → c → b' }]);
    expect(problems({ body: '{{it}}' })).toEqual([
      { path: 'generators.it', message: 'refers to itself: it → it' },
    ]);
  });

  it('finds a cycle among generators that no output needs', () => {
    expect(refusal({ it: svc('digits'), x: { body: '{{x}}' } }).problems).toHaveLength(1);
  });

  it('reports every problem in one error, each with its path', () => {
    const error = refusal(
      { a: svc('int_between', { min: 5, max: 1 }), b: { body: '{{aa}}' }, c: { type: 'list', values: [] } },
      ['a', 'zz', 'a'],
    );
    expect(error.code).toBe('validation_error');
    expect(error.problems.map(({ path }) => path)).toEqual([
      'generators.a.params.min',
      'generators.b.body',
      'generators.c.values',
      'output[1]',
      'output[2]',
    ]);
    expect(error.problems[1]?.message).toContain('unknown name "aa"');
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['an array', []],
    ['nothing', {}],
    ['no output', { generators: { a: svc('digits') } }],
    ['an empty output', { generators: { a: svc('digits') }, output: [] }],
    ['generators as an array', { generators: [], output: ['a'] }],
    ['an unknown key', { generators: { a: svc('digits') }, output: ['a'], outputs: [] }],
  ])('refuses %s', (_, schema) => {
    expect(() => compileSchema(schema, OPTIONS)).toThrow(DefinitionError);
  });

  it('treats names like __proto__ and constructor as ordinary names', () => {
    const generators: unknown = JSON.parse(
      '{"__proto__":{"type":"list","values":["p"]},"constructor":{"body":"{{__proto__}}c"},"toString":{"body":"t"}}',
    );
    const [record] = records(generators, ['__proto__', 'constructor', 'toString']);
    expect(JSON.stringify(record)).toBe('{"__proto__":"p","constructor":"pc","toString":"t"}');
    expect(refusal({ a: svc('digits') }, ['constructor']).problems[0]?.path).toBe('output[0]');
    expect(Object.getPrototypeOf({}) as unknown).toBe(Object.prototype);
  });

  it('quotes unusual names in paths', () => {
    expect(refusal({ 'a b': 5 }, ['a b']).problems[0]?.path).toBe('generators["a b"]');
  });
});

describe('bindings of a schema', () => {
  const read = (schema: unknown, values: readonly unknown[]) => {
    const cursor = compileSchema(schema, { ...OPTIONS, bindings: ['params'] }).open(1, values);
    cursor.moveTo(0);
    return [...cursor.values];
  };

  it('are values that every generator may refer to', () => {
    const generators = {
      id: { computed: 'params.id' },
      inner: { let: { text: { body: 'no. {{params.id}}' } }, body: '{{text}}!' },
    };
    expect(read({ generators, output: ['id', 'inner'] }, [{ id: '42' }])).toEqual(['42', 'no. 42!']);
  });

  it('are hidden by a generator of the same name', () => {
    const generators = { params: { type: 'list', values: ['own'] }, it: { body: '{{params}}' } };
    expect(read({ generators, output: ['params', 'it'] }, ['bound'])).toEqual(['own', 'own']);
  });

  it('are not part of the output and change no other value', () => {
    const schema = { generators: { it: svc('uuid_v4') }, output: ['it'] };
    expect(read(schema, ['x'])).toEqual(read(schema, []));
    const [plain] = compileSchema(schema, OPTIONS).records(1, 0, 1);
    expect(Object.values(plain ?? {})).toEqual(read(schema, ['x']));
    expect(() => read({ ...schema, output: ['params'] }, [])).toThrow('there is no generator of this name');
  });
});
