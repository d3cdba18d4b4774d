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

  const made = (mode: string, params: Json = {}): string[] =>
    values({ type: 'model', source: 'en_US/first_names', generation: { mode, params } }, 50).map(String);

  it('makes sentences of so many words, ended by one of the marks', () => {
    const sentences = made('sentence', { word_count: 3, punctuation: ['!', '?'], starts_with: 'An' });
    expect(sentences.every((text) => /^An\S* \S+ \S+[!?]$/.test(text))).toBe(true);
    expect(made('sentence').every((text) => text.endsWith('.'))).toBe(true);
  });

  it('makes text and paragraphs within their bounds', () => {
    expect(
      made('text', { max_chars: 80, suffix: '…' }).every(
        (text) => text.endsWith('…') && [...text].length <= 80,
      ),
    ).toBe(true);
    expect(made('paragraph', { sentence_count: 2 }).every((text) => text.split('.').length === 3)).toBe(true);
  });

  it('makes poems of so many verses, and acrostics of the initials', () => {
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
  ])('draws real words where %s', (_, source, prefix, expected) => {
    const definition = { type: 'model', source, generation: { mode: 'real_word', params: { prefix } } };
    expect(new Set(values(definition, 100))).toEqual(new Set(expected));
    expect(values({ ...definition, constraints: { ends_with: '#' } }, 2)).toEqual([null, null]);
  });
});
