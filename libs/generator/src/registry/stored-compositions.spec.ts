import { CORE_REGISTRY } from '../types/core-registry.js';
import { withCompositions } from './stored-compositions.js';
import { type CompileOptions } from './generator-type.js';
import { problems, refusal, values, type Json } from '../../test/schema-harness.js';
import { OPTIONS } from '../../test/test-model.js';

function storing(compositions: Record<string, Json>): { options: CompileOptions; read: string[] } {
  const read: string[] = [];
  const registry = withCompositions(CORE_REGISTRY, {
    names: () => Object.keys(compositions),
    read: (name) => {
      read.push(name);
      return Object.hasOwn(compositions, name) ? compositions[name] : undefined;
    },
  });
  return { options: { ...OPTIONS, registry }, read };
}

const INNER = {
  name: '@a/b:inner',
  params: { low: { type: 'integer', default: 3 } },
  let: { n: { use: '@svc/core:logic.int_between', params: { min: '{{low}}', max: 9 } } },
  body: '{{n}}',
};
const OUTER = {
  name: '@a/b:outer',
  let: { n: { use: '@a/b:inner', params: { low: 9 } } },
  body: 'n={{n}}',
};

describe('withCompositions', () => {
  it('reads a composition only once, at its first use', () => {
    const { options, read } = storing({ '@a/b:inner': INNER, '@a/b:outer': OUTER });
    expect(values({ use: '@a/b:outer' }, 3, options)).toEqual(['n=9', 'n=9', 'n=9']);
    expect(values({ use: '@a/b:inner', params: { low: 8 } }, 30, options)).toContain('8');
    expect(values({ type: 'svc', algorithm: 'sequence' }, 1, options)).toEqual([1]);
    expect(read).toEqual(['@a/b:outer', '@a/b:inner']);
  });

  it('suggests a similar name for an unknown one', () => {
    const { options } = storing({ '@a/b:inner': INNER });
    expect(problems({ use: '@a/b:iner' }, options)).toEqual([
      {
        path: 'generators.it.use',
        message: 'no generator of this name is registered; did you mean "@a/b:inner"?',
      },
    ]);
  });

  it('lets no composition replace a generator of the same name', () => {
    const { options } = storing({ '@svc/core:list': INNER });
    expect(values({ use: '@svc/core:list', params: { values: [7] } }, 1, options)).toEqual([7]);
  });

  it('reports a missing generator of a composition at the path that uses the composition', () => {
    const { options } = storing({ '@a/b:outer': OUTER });
    expect(problems({ use: '@a/b:outer' }, options)).toEqual([
      {
        path: 'generators.it',
        message: expect.stringContaining('in @a/b:outer, let.n.use: no generator of this name') as string,
      },
    ]);
  });

  it('stops if compositions contain each other', () => {
    const using = (name: string, use: string): Json => ({ name, let: { n: { use } }, body: '{{n}}' });
    const { options } = storing({
      '@a/b:inner': using('@a/b:inner', '@a/b:outer'),
      '@a/b:outer': using('@a/b:outer', '@a/b:inner'),
    });
    expect(refusal({ it: { use: '@a/b:outer' } }, ['it'], options)).toMatchObject({ code: 'limit_exceeded' });
  });

  it.each<[Json, string]>([
    [{ ...INNER, name: 'inner' }, 'name: must have the form'],
    [{ ...INNER, params: 5 }, 'params: must be an object'],
    [{ ...INNER, bdy: '' }, 'bdy: is not a parameter'],
  ])('refuses a stored value that is not a valid composition: %j', (composition, message) => {
    const { options } = storing({ '@a/b:inner': composition });
    expect(refusal({ it: { use: '@a/b:inner' } }, ['it'], options).message).toContain(message);
  });
});
