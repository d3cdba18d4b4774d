import { compileSchema } from '../../src/compile/compile-schema.js';
import { asText, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

/**
 * Returns the values of a model at seed 42. The tests cover every mode and every constraint. As for
 * records.spec.ts, `npm run check` fails if a value changes but ENGINE_VERSION does not.
 */
const golden = (definition: Json): string => {
  const plan = compileSchema(
    { generators: { it: { type: 'model', ...definition } }, output: ['it'] },
    OPTIONS,
  );
  return [...plan.records(42, 0, 4)].map((record) => asText(record['it'])).join('\n');
};

const SOURCES = ['en_US/first_names', 'en_US/words'];
const CONSTRAINTS: readonly Json[] = [
  {},
  { starts_with: 'a' },
  { ends_with: 'r' },
  { contains: 'e' },
  { min_length: 6 },
  { max_length: 5 },
  { exclude_originals: true },
  { starts_with: 'b', ends_with: 'r', contains: 'e', min_length: 4, max_length: 9 },
];
const MODES: Readonly<Record<string, readonly Json[]>> = {
  word: [{}, { starts_with: 'b' }],
  sentence: [{}, { word_count: 3, punctuation: ['!', '?'] }, { starts_with: 'e', punctuation: '' }],
  text: [{}, { max_chars: 40, suffix: '…' }, { starts_with: 'd' }],
  paragraph: [{}, { sentence_count: 2, starts_with: 'c' }],
  poem: [{}, { verses: 3, stanza_length: 2, max_words: 2 }],
  acrostic: [{ initials: 'abcd' }, { initials: 'de', max_words: 2 }],
  real_word: [{}, { prefix: 'be' }, { prefix: 'z' }],
};

describe('golden words', () => {
  it.each(CONSTRAINTS)('under %j', (constraints) => {
    expect(golden({ source: 'en_US/words', constraints })).toMatchSnapshot();
  });

  it('of a list', () => {
    const generation = { mode: 'real_word' };
    expect(
      golden({ source: 'en_US/first_names', generation, constraints: { ends_with: 'a' } }),
    ).toMatchSnapshot();
  });
});

for (const [mode, all] of Object.entries(MODES)) {
  describe(`golden mode ${mode}`, () => {
    it.each(all)('%j', (params) => {
      expect(golden({ source: 'en_US/words', generation: { mode, params } })).toMatchSnapshot();
    });
  });
}

test.each(SOURCES)('golden sentences of %s under constraints', (source) => {
  const generation = { mode: 'sentence', params: { word_count: 2 } };
  expect(golden({ source, generation, constraints: { exclude_originals: true } })).toMatchSnapshot();
});
