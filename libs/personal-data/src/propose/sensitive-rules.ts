import { plainLetters } from '../clues/words-of-name.js';
import { isDiseaseCode, VOCABULARIES, type CategoryKind, type Vocabulary } from '../values/categories.js';
import { isProse } from '../values/prose.js';
import { shareOf } from './name-rules.js';
import { freeTextRules } from './other-rules.js';
import { rangeRule } from './number-range.js';
import type { ProposalFacts, RuleDefinition } from './rule-definitions.js';
import { ruleOfShapes, shapesOf } from './shapes.js';

/**
 * The largest number of vocabularies to return rules for. A CHECK constraint may reject most of the rules.
 */
const MAX_TRIED = 6;

/**
 * Returns rules that choose words from public vocabularies, starting with the vocabulary that contains most
 * of the values. Words and weights come from the vocabulary, not from the values, so a rule reveals no value
 * and no frequency.
 */
export function categoryRules({
  detection,
  group,
  values,
  maxLength,
}: ProposalFacts): readonly RuleDefinition[] {
  const isNumber = group === 'number';
  const fitting = VOCABULARIES[detection.kind as CategoryKind].filter(
    (vocabulary) =>
      vocabulary.every((word) => /^\d+$/.test(word)) === isNumber &&
      vocabulary.every((word) => word.length <= maxLength),
  );
  const byShare = fitting
    .map((vocabulary) => ({ vocabulary, share: shareIn(vocabulary, values) }))
    .sort((a, b) => b.share - a.share);
  const [best, ...others] = byShare.map(({ vocabulary }) => vocabulary).slice(0, MAX_TRIED);
  if (best === undefined) return [];
  // A CHECK constraint often permits only the most common words.
  const shortened = [4, 2].flatMap((count) => (best.length > count ? [best.slice(0, count)] : []));
  return [best, ...shortened, ...others].map((vocabulary) => {
    const words = isNumber ? vocabulary.map(Number) : vocabulary.map(casedAs(values));
    return weighted(words, detection.kind === 'gender' ? 1 : SOME);
  });
}

export function healthRules(facts: ProposalFacts): readonly RuleDefinition[] {
  const { group, values, maxLength } = facts;
  if (group === 'number') return [rangeRule(facts)];
  if (shareOf(values, isProse) > 0.3 && maxLength >= 40) return freeTextRules(facts);
  if (shareOf(values, isDiseaseCode) < 0.5) return categoryRules(facts);
  const codes = VOCABULARIES.health.filter((vocabulary) => vocabulary.every(isDiseaseCode));
  return codes.map((vocabulary) =>
    weighted(
      vocabulary.filter((word) => word.length <= maxLength),
      SOME,
    ),
  );
}

export function incomeRules(facts: ProposalFacts): readonly RuleDefinition[] {
  const { group, values, maxLength } = facts;
  if (group === 'number') return [rangeRule(facts)];
  const shapes = shapesOf(values).filter(({ text }) => text.length <= maxLength);
  return shapes.length === 0 ? [] : [ruleOfShapes(shapes)];
}

function shareIn(vocabulary: Vocabulary, values: readonly string[]): number {
  const known = new Set(vocabulary.map(plainLetters));
  return shareOf(values, (value) => known.has(plainLetters(value.trim())));
}

const MANY = 20;
const SOME = 6;
const FEW = 2;

/** Returns a list generator that prefers the first two words. @param some the weight of the next two words */
function weighted(words: readonly (string | number)[], some: number): RuleDefinition {
  const values = words.map((value, i) => ({
    value,
    weight: i < 2 ? MANY : i < 4 ? some : Math.min(some, FEW),
  }));
  return { type: 'list', values };
}

/**
 * Returns a function that converts words to upper or lower case if at least three values all have that case.
 */
function casedAs(values: readonly string[]): (word: string) => string {
  const isAll = (form: (text: string) => string) =>
    values.length >= 3 && values.every((value) => value === form(value));
  const [upper, lower] = [(text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()];
  if (isAll(upper) && !isAll(lower)) return upper;
  return isAll(lower) && !isAll(upper) ? lower : (word) => word;
}
