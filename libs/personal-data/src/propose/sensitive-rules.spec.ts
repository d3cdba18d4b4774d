import fc from 'fast-check';
import { plainLetters } from '../clues/words-of-name.js';
import { VOCABULARIES, type CategoryKind } from '../values/categories.js';
import { proposeRules } from './propose-rules.js';
import type { RuleDefinition } from './rule-definitions.js';

const KINDS = Object.keys(VOCABULARIES) as CategoryKind[];
function rulesFor(kind: CategoryKind, values: readonly string[], more: { maxLength?: number } = {}) {
  return proposeRules({
    ...{ detection: { kind }, group: 'text', type: 'text', values, locale: 'en_US', rows: 10 },
    ...{ isArray: false, isNullable: false, isUnique: false },
    ...more,
  });
}
const wordsOf = (rule: RuleDefinition | undefined): readonly string[] =>
  ((rule?.['values'] ?? []) as readonly { value: string }[]).map(({ value }) => value);

describe('rules for sensitive data', () => {
  it('contain only public words and do not depend on the frequency of words in the rows', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), words, (kind, values) => {
        const known = new Set(VOCABULARIES[kind].flat().map(plainLetters));
        for (const rule of rulesFor(kind, values)) {
          expect(wordsOf(rule).filter((word) => !known.has(plainLetters(word)))).toEqual([]);
        }
      }),
    );
    const few = rulesFor('gender', ['male', 'female', 'female', 'female']);
    expect(few).toEqual(rulesFor('gender', ['male', 'male', 'male', 'female']));
  });

  it('use the language, codes and letter case of the column', () => {
    expect(wordsOf(rulesFor('gender', ['w', 'm', 'w'])[0])).toEqual(['w', 'm', 'd']);
    expect(wordsOf(rulesFor('marital_status', ['LEDIG', 'GESCHIEDEN', 'LEDIG'])[0])).toContain('VERWITWET');
    expect(wordsOf(rulesFor('health', ['O-', 'A+'])[0])).toContain('AB+');
    expect(wordsOf(rulesFor('health', ['J45.9', 'E11.9'])[0])).toContain('Z00.0');
  });

  it('contain no words that are too long for the column', () => {
    for (const kind of KINDS) {
      for (const rule of rulesFor(kind, [], { maxLength: 2 }))
        expect(wordsOf(rule).filter((word) => word.length > 2)).toEqual([]);
    }
  });
});
