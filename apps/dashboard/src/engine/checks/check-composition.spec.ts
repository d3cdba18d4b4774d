import { builtinLibrary } from '@understudy/builtin-models/node';

import { checkComposition } from './check-composition.js';

const library = builtinLibrary();
const check = (composition: object | string) =>
  checkComposition(
    {
      kind: 'composition',
      text: typeof composition === 'string' ? composition : JSON.stringify(composition),
      seed: 1,
      nowMs: 0,
    },
    library,
  );

describe('checkComposition', () => {
  it('generates samples with the defaults of the params', () => {
    const params = { who: { type: 'string', default: 'world' } };
    expect(check({ name: '@acme/people:greeting', params, body: 'Hello {{who}}' })).toEqual({
      kind: 'composition',
      problems: [],
      unknownNames: [],
      samples: Array.from({ length: 8 }, () => '"Hello world"'),
      params: {},
      sampleProblem: undefined,
    });
  });

  it('chooses values for required params, and returns them', () => {
    const params = {
      who: { type: 'string', required: true },
      times: { type: 'integer', required: true },
    };
    const checked = check({ name: '@acme/people:greeting', params, body: '{{who}} {{times}}' });
    expect(checked).toMatchObject({ problems: [], params: { who: 'example', times: 1 } });
    expect(checked.samples[0]).toBe('"example 1"');
  });

  it('reports all problems with their paths, and no samples', () => {
    const checked = check({
      name: 'no name',
      let: { a: { type: 'svc', algorithm: 'nothing' } },
      body: '{{b}}',
    });
    expect(checked.problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['name', 'let.a.algorithm', 'body']),
    );
    expect(checked.samples).toEqual([]);
    expect(check('{').problems[0]?.message).toContain('expected JSON');
    expect(check('[]').problems).toHaveLength(1);
  });

  it('names what only the organisation may have', () => {
    const step = { use: '@acme/people:nickname' };
    const checked = check({ name: '@acme/people:badge', let: { nick: step }, body: '{{nick}}' });
    expect(checked.unknownNames).toEqual(['@acme/people:nickname']);
    expect(checked.problems).not.toHaveLength(0);
  });
});
