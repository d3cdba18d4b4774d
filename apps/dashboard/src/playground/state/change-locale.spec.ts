import { builtinModels } from '@understudy/builtin-models/node';

import { changeLocale, localeOf, localesOf } from './change-locale.js';

const MODELS = builtinModels.all();
const SCHEMA = `{
  "generators": {
    "name": { "type": "model", "source": "en_US/full_names" },
    "job": { "type": "model", "source": "en_US/job_titles" },
    "note": { "body": "see en_US/full_names" }
  }
}`;

describe('changeLocale', () => {
  it('replaces models that exist in the other locale, and nothing else', () => {
    expect(changeLocale(SCHEMA, 'de_DE', MODELS)).toBe(
      SCHEMA.replace('"en_US/full_names"', '"de_DE/full_names"'),
    );
  });

  it.each([
    ['en_US', 'ru_RU', ['first_names', 'last_names'], ['female_first_names', 'female_last_names']],
    ['en_US', 'cs_CZ', ['male_first_names', 'last_names'], ['male_first_names', 'male_last_names']],
    ['en_US', 'pl_PL', ['female_first_names', 'last_names'], ['female_first_names', 'female_last_names']],
    ['en_US', 'pl_PL', ['last_names'], ['last_names']],
    ['en_US', 'pl_PL', ['first_names', 'cities'], ['first_names', 'cities']],
    ['en_US', 'de_DE', ['first_names', 'last_names'], ['first_names', 'last_names']],
    ['ru_RU', 'cs_CZ', ['male_first_names', 'male_last_names'], ['male_first_names', 'male_last_names']],
    ['ru_RU', 'en_US', ['male_first_names', 'male_last_names'], ['male_first_names', 'last_names']],
    ['pl_PL', 'ja_JP', ['female_first_names', 'female_last_names'], ['female_first_names', 'last_names']],
  ])(
    'from %s to %s replaces the models of %j by %j, whose names are of one sex',
    (from, to, before, after) => {
      const schema = (locale: string, names: readonly string[]) =>
        JSON.stringify(names.map((name) => ({ type: 'model', source: `${locale}/${name}` })));
      expect(changeLocale(schema(from, before), to, MODELS)).toBe(schema(to, after));
    },
  );
});

describe('localeOf', () => {
  it('finds the locale of the first model that exists', () => {
    expect(localeOf(SCHEMA, MODELS)).toBe('en_US');
    expect(localeOf('{ "a": "xx_XX/full_names", "b": "ja_JP/cities" }', MODELS)).toBe('ja_JP');
    expect(localeOf('{ "a": "custom/streets" }', MODELS)).toBeUndefined();
  });
});

describe('localesOf', () => {
  it('lists each locale once', () => {
    expect(localesOf(MODELS)).toHaveLength(15);
    expect(localesOf(MODELS)).toEqual(expect.arrayContaining(['cs_CZ', 'tr_TR']));
  });
});
