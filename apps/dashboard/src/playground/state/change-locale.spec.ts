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
