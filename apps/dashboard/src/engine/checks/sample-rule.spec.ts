import { builtinLibrary } from '@understudy/builtin-models/node';

import type { WrittenRules } from './check-rules.js';
import { sampleRule } from './sample-rule.js';

const library = builtinLibrary();
const sample = (rule: unknown, others: WrittenRules = [], seed = 1) =>
  sampleRule({ kind: 'sample-rule', rule, others, seed, nowMs: 0 }, library);

describe('sampleRule', () => {
  it('gives the same values for the same seed', () => {
    const rule = { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 1_000_000 } };
    expect(sample(rule).samples).toHaveLength(6);
    expect(sample(rule)).toEqual(sample(rule));
    expect(sample(rule, [], 2)).not.toEqual(sample(rule));
  });

  it('fills a pattern with the rules of the columns that it reads', () => {
    const others = [
      ['team', { type: 'list', values: ['blue'] }],
      ['kept', { preserve: true }],
      ['unrelated column', { generator: 'custom/our-names' }],
    ] as const;
    const rule = { generator: 'template', pattern: '{{team}}@example.com' };
    const { samples, unknownNames } = sample(rule, others);
    expect(unknownNames).toEqual([]);
    expect(new Set(samples)).toEqual(new Set(['"blue@example.com"']));
  });

  it('applies the modifiers of a rule', () => {
    const { samples } = sample({ generator: 'en_US/first_names', transform: 'uppercase(value)' });
    expect(samples).toHaveLength(6);
    for (const text of samples) expect(text).toBe(text.toUpperCase());
  });

  it.each([
    { preserve: true },
    { json: { 'a.b': { preserve: true } } },
    { generator: 'template', pattern: '{{no_column}}' },
    { generator: '' },
    undefined,
  ])('has no samples of %j', (rule) => {
    expect(sample(rule)).toEqual({ kind: 'sample-rule', samples: [], unknownNames: [] });
  });

  it.each(['custom/our-names', 'private/our-names'])(
    'names the model %s, which the page does not have',
    (id) => {
      expect(sample({ generator: id })).toMatchObject({ samples: [], unknownNames: [id] });
    },
  );
});
