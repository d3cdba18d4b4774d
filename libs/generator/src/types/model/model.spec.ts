import { compileDefinition, compileSchema } from '../../index.js';
import { values, problems, svc, type Json } from '../../../test/schema-harness.js';
import { OPTIONS } from '../../../test/test-model.js';

describe('model', () => {
  it('samples words under constraints', () => {
    const made = values(
      { type: 'model', source: 'en_US/first_names', constraints: { starts_with: 'Ro', max_length: 6 } },
      100,
    );
    expect(made.every((value) => typeof value === 'string' && /^Ro.{0,4}$/.test(value))).toBe(true);
  });

  it('prefers starts_with of the generation to that of the constraints', () => {
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
    [{}, 'source', 'is required'],
    [{ source: 'en_US/none' }, 'source', 'no model of this name: en_US/none'],
    [{ constraints: { starts_with: '#' } }, 'constraints.starts_with', 'never writes'],
    [
      { generation: { mode: 'word', params: { starts_with: '#' } } },
      'generation.params.starts_with',
      'never writes',
    ],
    [{ constraints: { min_length: '3' } }, 'constraints.min_length', 'must be an integer'],
    [{ constraints: { start_with: 'A' } }, 'constraints.start_with', 'did you mean "starts_with"?'],
    [{ generation: { mode: 'acrostic', params: { initials: 'A#' } } }, 'generation.params.initials', ''],
    [{ source: 'en_US/bare', generation: { mode: 'real_word' } }, 'generation.mode', 'training values'],
    [{ generation: { mode: 'poem', params: { verses: 0 } } }, 'generation.params.verses', 'from 1 to'],
    [
      { generation: { mode: 'poem', params: { verse: 4 } } },
      'generation.params.verse',
      'did you mean "verses"?',
    ],
    [
      { generation: { mode: 'sentence', params: { punctuation: 5 } } },
      'generation.params.punctuation',
      'string',
    ],
    [{ generation: { mode: 'verse' } }, 'generation.mode', 'must be one of word'],
  ])('refuses %j', (definition, path, message) => {
    const source = path === 'source' ? {} : { source: 'en_US/first_names' };
    expect(problems({ type: 'model', ...source, ...definition })).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  const warned = (more: Json, generators: Json = {}): readonly { path: string; message: string }[] =>
    compileSchema(
      {
        generators: { it: { type: 'model', source: 'en_US/first_names', ...more }, ...generators },
        output: ['it'],
      },
      OPTIONS,
    ).warnings(10);

  it.each<[string, Json, string[]]>([
    ['word', { starts_with: 'A', ends_with: 'a', contains: 'n', min_length: 2, max_length: 9 }, []],
    ['sentence', { max_length: 9, starts_with: 'A', exclude_originals: true }, ['max_length']],
    ['text', { min_length: 3, max_length: 90 }, ['min_length']],
    [
      'poem',
      { starts_with: 'A', ends_with: 'a', contains: '', max_length: 90 },
      ['starts_with', 'ends_with', 'max_length'],
    ],
    ['acrostic', { contains: 'n', exclude_originals: false }, ['contains']],
  ])('warns that mode %s does not apply certain constraints: %j', (mode, constraints, ignored) => {
    const warnings = warned({ generation: { mode }, constraints });
    expect(warnings.map(({ path }) => path)).toEqual(
      ignored.map((name) => `generators.it.constraints.${name}`),
    );
    for (const { message } of warnings)
      expect(message).toMatch(
        new RegExp(`^is not applied in mode ${mode}; it applies in the modes word, .*real_word$`),
      );
  });

  it('warns of constraints that some modes do not apply if a template provides the mode', () => {
    const mode = { type: 'list', values: ['word', 'poem'] };
    const constraints = { max_length: '{{size}}', exclude_originals: true };
    expect(
      warned(
        { generation: { mode: '{{mode}}' }, constraints },
        { mode, size: svc('int_between', { min: 5, max: 9 }) },
      ),
    ).toEqual([
      {
        path: 'generators.it.constraints.max_length',
        message: 'applies only in the modes word, text, real_word, and a template provides the mode',
      },
    ]);
  });

  it('warns with the path of a column rule', () => {
    const definition = {
      type: 'model',
      source: 'en_US/first_names',
      generation: { mode: 'poem' },
      constraints: { max_length: 20 },
    };
    const plan = compileDefinition(definition, { ...OPTIONS, path: 'tables[0].columns.note' });
    expect(plan.warnings.map(({ path }) => path)).toEqual(['tables[0].columns.note.constraints.max_length']);
  });

  const made = (mode: string, params: Json = {}): string[] =>
    values({ type: 'model', source: 'en_US/first_names', generation: { mode, params } }, 50).map(String);

  it('generates sentences with the requested number of words and punctuation', () => {
    const sentences = made('sentence', { word_count: 3, punctuation: ['!', '?'], starts_with: 'An' });
    expect(sentences.every((text) => /^An\S* \S+ \S+[!?]$/.test(text))).toBe(true);
    expect(made('sentence').every((text) => text.endsWith('.'))).toBe(true);
  });

  it('generates text and paragraphs within their bounds', () => {
    expect(
      made('text', { max_chars: 80, suffix: '…' }).every(
        (text) => text.endsWith('…') && [...text].length <= 80,
      ),
    ).toBe(true);
    expect(made('paragraph', { sentence_count: 2 }).every((text) => text.split('.').length === 3)).toBe(true);
  });

  it('generates poems with the requested number of verses, and acrostics of the initials', () => {
    const poems = made('poem', { verses: 4, stanza_length: 2, max_words: 3 });
    expect(poems.every((poem) => poem.split('\n\n').every((stanza) => stanza.split('\n').length === 2))).toBe(
      true,
    );
    const acrostics = made('acrostic', { initials: 'ARC', max_words: 2 });
    expect(
      acrostics.map((text) =>
        text
          .split('\n')
          .map((line) => line.charAt(0))
          .join(''),
      ),
    ).toEqual(Array<string>(50).fill('ARC'));
  });

  it.each([
    ['the model holds them', 'en_US/words', 'be', ['bear', 'bed', 'berry']],
    ['a list of its id does', 'en_US/first_names', 'Ann', ['Anna', 'Annabel']],
  ])('draws real words if %s', (_, source, prefix, expected) => {
    const definition = { type: 'model', source, generation: { mode: 'real_word', params: { prefix } } };
    expect(new Set(values(definition, 100))).toEqual(new Set(expected));
    expect(values({ ...definition, constraints: { ends_with: '#' } }, 2)).toEqual([null, null]);
  });
});
