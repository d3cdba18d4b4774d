import type { Kind } from '../kind.js';
import { composed, digits, model, type RuleDefinition, type ProposalFacts } from './rule-definitions.js';

/**
 * If a unique column has more rows than this, its rule appends a number to each word, because a model has too
 * few different words.
 */
const MANY = 500;
const SHORT = 8;
/** Locales whose names become readable addresses. Transliteration reads Japanese characters as Chinese. */
const SLUG_LOCALES = /^(?!ja)/;
/** Locales whose last names have a form for each sex. */
const SEXED_LOCALES = /^(?:cs|pl|ru)_/;

/**
 * Returns the id of the model of first or last names. Two columns draw their names independently of each other, so
 * in locales whose last names depend on the sex, all names are of one sex.
 */
function namesOf(locale: string, names: 'first_names' | 'last_names'): string {
  return `${locale}/${SEXED_LOCALES.test(locale) ? 'female_' : ''}${names}`;
}

export function nameRules(facts: ProposalFacts): readonly RuleDefinition[] {
  const { detection, locale, values, isUnique, rows, maxLength } = facts;
  if (detection.kind === 'full_name' && shareOf(values, (value) => value.includes(',')) > 0.6) {
    return [
      composed(
        { first: model(namesOf(locale, 'first_names')), last: model(namesOf(locale, 'last_names')) },
        '{{last}}, {{first}}',
      ),
    ];
  }
  const source = sourceOf(detection.kind, locale);
  // Models have no words of one or two letters, so a short column gets the beginning of a word.
  if (maxLength < SHORT) return [composed({ word: model(source) }, `{{substring(word, 0, ${maxLength})}}`)];
  const numbered = composed({ word: model(source), n: digits(8) }, '{{word}} {{n}}');
  if (isUnique && rows > MANY) return [numbered];
  return [{ generator: source, ...lettersOf(values) }];
}

function sourceOf(kind: Kind, locale: string): string {
  switch (kind) {
    case 'first_name':
      return namesOf(locale, 'first_names');
    case 'last_name':
      return namesOf(locale, 'last_names');
    case 'company':
      return `${locale}/companies`;
    case 'city':
      return `${locale}/cities`;
    default:
      return `${locale}/full_names`;
  }
}

/** Returns a rule with a transform to upper or lower case if nearly all sampled values are in that case. */
function lettersOf(values: readonly string[]): RuleDefinition {
  const cased = values.filter((value) => value.toUpperCase() !== value.toLowerCase());
  if (cased.length < 3) return {};
  if (shareOf(cased, (value) => value === value.toUpperCase()) > 0.95)
    return { transform: 'uppercase(value)' };
  return shareOf(cased, (value) => value === value.toLowerCase()) > 0.95
    ? { transform: 'lowercase(value)' }
    : {};
}

export function emailRules({ locale, maxLength, isUnique, rows }: ProposalFacts): readonly RuleDefinition[] {
  const names = SLUG_LOCALES.test(locale) ? locale : 'en_US';
  const steps = {
    first: model(namesOf(names, 'first_names')),
    last: model(namesOf(names, 'last_names')),
    n: digits(4),
  };
  const readable = composed(steps, '{{slug(first)}}.{{slug(last)}}{{n}}@example.com');
  const short = composed({ n: digits(12) }, 'u{{n}}@example.com');
  const shortest = composed({ n: digits(8) }, '{{n}}@a.io');
  const fitting = maxLength >= 60 ? readable : maxLength >= 25 ? short : shortest;
  // With so many rows, it costs too much to check that each value is unique. The rule uses UUIDs, which never
  // repeat.
  const never = { generator: 'template', pattern: '{{uuid}}@example.com' };
  const chosen = isUnique && rows > 5_000_000 && maxLength >= 48 ? never : fitting;
  return [{ ...chosen, consistent: true }];
}

/** The name columns whose new values `emailOfNames` uses for an e-mail address. */
export interface SiblingNames {
  readonly first?: NameColumn;
  readonly last?: NameColumn;
  /** Used only if both `first` and `last` are absent. */
  readonly full?: NameColumn;
}

export interface NameColumn {
  readonly name: string;
  readonly isNullable: boolean;
}

/**
 * Returns a rule that makes an e-mail address from the row's new names and a random number, such as
 * `anna.berg4711@example.com`. Returns undefined if the new names are Japanese, if an expression cannot use a
 * name column without back-quotes, or if the column for the address is too short.
 */
export function emailOfNames(
  {
    locales,
    maxLength,
    isUnique,
    rows,
  }: Pick<ProposalFacts, 'maxLength' | 'isUnique' | 'rows'> & { readonly locales: readonly string[] },
  { first, last, full }: SiblingNames,
): RuleDefinition | undefined {
  const parts = [first, last].filter((part) => part !== undefined);
  const columns = parts.length > 0 ? parts : full === undefined ? [] : [full];
  if (columns.length === 0 || !locales.every((locale) => SLUG_LOCALES.test(locale))) return undefined;
  if (columns.some(({ name }) => !IN_EXPRESSIONS.test(name) || WORDS_OF_EXPRESSIONS.has(name)))
    return undefined;
  const count = isUnique && rows > 100_000 ? 8 : 4;
  const room = Math.min(
    MOST_OF_NAME,
    Math.floor((maxLength - count - '@example.com'.length) / columns.length) - 1,
  );
  if (room < LEAST_OF_NAME) return undefined;
  const words = columns.map(({ name, isNullable }) => {
    const value = isNullable ? `coalesce(${name}, 'someone')` : name;
    return `{{substring(slug(${value}), 0, ${room})}}`;
  });
  return composed({ number_behind: digits(count) }, `${words.join('.')}{{number_behind}}@example.com`);
}

/** Column names that the rule can use in an expression without back-quotes. */
const IN_EXPRESSIONS = /^[A-Za-z_][A-Za-z0-9_]*$/;
const WORDS_OF_EXPRESSIONS = new Set([
  'true',
  'false',
  'null',
  'and',
  'or',
  'not',
  'in',
  'uuid',
  'number_behind',
]);
const MOST_OF_NAME = 20;
const LEAST_OF_NAME = 6;

export function usernameRules({ locale, maxLength, values }: ProposalFacts): readonly RuleDefinition[] {
  const names = SLUG_LOCALES.test(locale) ? locale : 'en_US';
  const count = Math.min(18, Math.max(1, maxLength - 1));
  const short = composed({ n: digits(Math.min(10, count)) }, 'u{{n}}');
  if (maxLength < 24) return [{ ...short, consistent: true }];
  const at = shareOf(values, (value) => value.startsWith('@')) > 0.5 ? '@' : '';
  const readable = composed(
    { first: model(namesOf(names, 'first_names')), n: digits(6) },
    `${at}{{slug(first)}}{{n}}`,
  );
  return [
    { ...readable, consistent: true },
    { ...short, consistent: true },
  ];
}

export function shareOf(values: readonly string[], test: (value: string) => boolean): number {
  return values.length === 0 ? 0 : values.filter(test).length / values.length;
}
