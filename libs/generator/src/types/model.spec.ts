import { values, problems, type Json } from '../../test/schema-harness.js';

describe('model', () => {
  it('samples words under constraints', () => {
    const made = values(
      { type: 'model', source: 'en_US/first_names', constraints: { starts_with: 'Ro', max_length: 6 } },
      100,
    );
    expect(made.every((value) => typeof value === 'string' && /^Ro.{0,4}$/.test(value))).toBe(true);
  });

  it('takes starts_with from the generation first', () => {
    const generation = { mode: 'word', params: { starts_with: 'J' } };
    const definition = {
      type: 'model',
      source: 'en_US/first_names',
      generation,
      constraints: { starts_with: 'A' },
    };
    expect(values(definition, 20).every((value) => String(value).startsWith('J'))).toBe(true);
  });

  it.each<[Json, string, string]>([
    [{}, 'source', 'needs a source'],
    [{ source: 'en_US/none' }, 'source', 'no model of this name: en_US/none'],
    [{ constraints: { starts_with: '#' } }, 'constraints', 'never writes'],
    [{ constraints: { min_length: '3' } }, 'constraints.min_length', 'must be a number'],
    [{ constraints: { start_with: 'A' } }, 'constraints.start_with', 'did you mean "starts_with"?'],
    [{ generation: { mode: 'sentence' } }, 'generation.mode', 'not supported yet'],
    [{ generation: { mode: 'verse' } }, 'generation.mode', 'unknown mode'],
  ])('refuses %j', (definition, path, message) => {
    const source = path === 'source' ? {} : { source: 'en_US/first_names' };
    expect(problems({ type: 'model', ...source, ...definition })).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });
});
