import { svc, records, values, refusal, problems, type Json } from '../../../test/schema-harness.js';
import { GenerationError } from '../../index.js';

describe('compositions', () => {
  it('let steps may refer to each other in any order, and hide outer names', () => {
    const definition = {
      let: { b: { computed: 'a + 1' }, a: { computed: '10' } },
      output: { sum: '{{a + b}}', text: '{{a}}/{{b}}' },
    };
    expect(records({ a: { computed: '1' }, it: definition }, ['a', 'it'])).toEqual([
      { a: 1, it: { sum: 21, text: '10/11' } },
    ]);
  });

  it('a cycle among let steps is reported, even if it includes an outer name', () => {
    expect(problems({ let: { a: { body: '{{b}}' }, b: { body: '{{a}}' } }, body: '{{a}}' })[0]?.path).toBe(
      'generators.it.let.a',
    );
    expect(
      refusal({ it: { let: { x: { body: '{{y}}' } }, body: '{{x}}' }, y: { body: '{{it}}' } }).problems,
    ).toHaveLength(1);
  });

  it('a cycle is reported even if the output does not need it', () => {
    expect(problems({ let: { a: { body: '{{a}}' } }, body: 'x' })[0]?.message).toBe(
      'refers to itself: a → a',
    );
  });

  it('params of an inline composition have their default values', () => {
    expect(values({ params: { n: { type: 'integer', default: 3 } }, computed: 'n * 2' }, 1)).toEqual([6]);
    expect(problems({ params: { n: { type: 'integer', required: true } }, computed: 'n' })[0]?.path).toBe(
      'generators.it.params.n',
    );
  });

  it('repeat draws each item separately, and sequence counts the items', () => {
    expect(values({ repeat: { count: 3, of: svc('sequence') } }, 2)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    const items = values({ repeat: { count: 4, of: svc('uuid_v4') } }, 50).flat();
    expect(new Set(items).size).toBe(200);
    const nested = values(
      { repeat: { count: 2, of: { repeat: { count: 2, of: svc('uuid_v4') } } } },
      50,
    ).flat(2);
    expect(new Set(nested).size).toBe(200);
  });

  it('repeat accepts a count, a range or an expression', () => {
    const sizes = values({ repeat: { count: '2-4', of: svc('digits') } }, 100).map(
      (value) => (value as unknown[]).length,
    );
    expect(new Set(sizes)).toEqual(new Set([2, 3, 4]));
    expect(
      records({ n: svc('sequence'), it: { repeat: { count: 'n / 2', of: svc('digits') } } }, ['it'], 4).map(
        ({ it }) => (it as unknown[]).length,
      ),
    ).toEqual([0, 1, 1, 2]);
  });

  it('repeat with unique gives different items or fails', () => {
    const tags = (count: string): Json => ({
      repeat: { count, of: { type: 'list', values: [1, 2, 3] }, unique: true },
    });
    expect(new Set(values(tags('pick(3)'), 1).flat())).toEqual(new Set([1, 2, 3]));
    expect(() => values(tags('pick(4)'), 1)).toThrow(GenerationError);
  });

  it('variants are picked by weight', () => {
    const made = values(
      { variants: [{ pattern: 'a' }, { pattern: 'b', weight: 0 }, { pattern: '{{1 + 1}}', weight: 3 }] },
      1000,
    );
    expect(made.filter((value) => value === 'a').length).toBeGreaterThan(190);
    expect(new Set(made)).toEqual(new Set(['a', '2']));
  });

  it.each<[unknown, string]>([
    [{ body: 'x', output: 1 }, ''],
    [{ let: {} }, ''],
    [{}, ''],
    [5, ''],
    [{ type: 'svc', use: 'x' }, ''],
    [{ body: 5 }, '.body'],
    [{ computed: 5 }, '.computed'],
    [{ variants: [] }, '.variants'],
    [{ variants: [{ pattern: 'x', weight: 0 }] }, '.variants'],
    [{ variants: [{ pattern: '{{' }] }, '.variants[0].pattern'],
    [{ repeat: { count: -1, of: svc('digits') } }, '.repeat.count'],
    [{ repeat: { count: '5-2', of: svc('digits') } }, '.repeat.count'],
    [{ repeat: { count: 1 } }, '.repeat.of'],
    [{ output: { a: ['{{nope}}'] } }, '.output.a[0]'],
    [{ use: '@acme/x:y' }, '.use'],
  ])('refuses %j', (definition, path) => {
    expect(problems(definition).map((problem) => problem.path)).toContain(`generators.it${path}`);
  });

  it.each<[Json, string]>([
    [{ type: 'template', pattern: '{{a}} x' }, '{"body":"{{a}} x"}'],
    [{ type: 'linked' }, '"type":"list"'],
    [{ type: 'lst' }, 'did you mean "list"?'],
  ])('refuses %j and suggests a replacement', (definition, message) => {
    expect(problems(definition)[0]).toEqual({
      path: 'generators.it.type',
      message: expect.stringContaining(message) as string,
    });
  });
});
