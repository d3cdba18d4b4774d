import { type Kind, KIND_WORDS } from '../kind.js';
import { isFiller } from '../values/fillers.js';
import { isBoolean, isTechnical } from '../values/technical.js';
import type { WordLists } from '../values/word-lists.js';
import { type Column, columnOf, hasNamesOfGoods, isOfThings, shareOf } from './column.js';
import { mentioned, valueTest } from './detect-column.js';
import { type ColumnFacts, type Undecided, percentOf, reasonOf } from './detection.js';
import { LOCATION_KINDS, SENSITIVE_KINDS, UNDECIDABLE_WORDS } from './kind-context.js';
import { KIND_TESTS } from './kind-tests.js';
import type { TypeGroup } from './type-group.js';

/**
 * Detects what a person has to decide about a column that `detectColumn` does not detect. Either a few values mention
 * persons or are of a kind, or the values or the type disagree with a name that is a strong clue. Or the values agree with
 * a part of the name, or no value was read and the name is a hint.
 * @returns undefined if there is nothing to decide
 */
export function detectUndecided(facts: ColumnFacts, lists: WordLists): Undecided | undefined {
  const column = columnOf(facts, lists);
  return (
    fewMentions(column) ??
    contradictedName(column) ??
    partOfName(column) ??
    hint(column) ??
    someValues(column)
  );
}

function fewMentions({ mentions: { seen, email, phone, other } }: Column): Undecided | undefined {
  const count = email + phone + other;
  if (count === 0) return undefined;
  return {
    what: 'text about persons',
    obstacle: `${reasonOf(mentioned(count, seen))}, which are too few for a rule`,
  };
}

function contradictedName(column: Column): Undecided | undefined {
  for (const [kind, strength] of column.name.clues) {
    if (strength !== 'strong' || isAboutThings(kind, column)) continue;
    const obstacle = KIND_TESTS[kind].types.includes(column.group)
      ? otherValues(kind, column)
      : otherType(kind, column);
    if (obstacle !== undefined) return { what: KIND_WORDS[kind], obstacle };
  }
  return undefined;
}

/** The smallest share of values that must agree with a part of the name. */
const PART_AGREES = 0.5;

/** Detects a name that contains a strong clue and unknown words, such as `password_portal`, if the values agree. */
function partOfName(column: Column): Undecided | undefined {
  const { name, group, facts, values, lists } = column;
  for (const kind of name.partial) {
    if (VAGUE.has(kind) || isAboutThings(kind, column)) continue;
    const what = KIND_WORDS[kind];
    const { types, loose } = KIND_TESTS[kind];
    if (RANGES_AND_MONEY[facts.type]?.has(kind) === true)
      return { what, obstacle: 'only a part of its name indicates this' };
    const given = values.filter((value) => !isFiller(value));
    if (!types.includes(group) || given.length === 0) continue;
    // A token or a key can look like a digest.
    if (shareOf(given, kind === 'secret' ? isBoolean : isTechnical, lists) >= 0.95) continue;
    if (!SENSITIVE_KINDS.has(kind) && isVocabulary(given)) continue;
    const share = shareOf(given, loose, lists);
    if (share < PART_AGREES) continue;
    return {
      what,
      obstacle: `only a part of its name indicates this, and ${percentOf(share)} of ${given.length} values agree`,
    };
  }
  return undefined;
}

/** Kinds of which a weak clue in the name is enough if no value was read, because few other columns have such names. */
const HINTED: ReadonlySet<Kind> = new Set<Kind>([
  'email',
  'card',
  'iban',
  'national_id',
  'first_name',
  'postcode',
]);

/** Detects a hint in the name of a column without values, such as `customer_mail`. Values may follow before a copy. */
function hint(column: Column): Undecided | undefined {
  const { name, group, values, subject } = column;
  if (values.length > 0 || subject === 'thing') return undefined;
  const hinted = [...name.partial, ...[...name.clues.keys()].filter((kind) => HINTED.has(kind))];
  const kind = hinted.find(
    (one) => !VAGUE.has(one) && !isAboutThings(one, column) && KIND_TESTS[one].types.includes(group),
  );
  if (kind === undefined) return undefined;
  return {
    what: KIND_WORDS[kind],
    obstacle: 'only a hint in its name indicates this, and no value was read',
  };
}

/** Kinds whose values rarely mean anything else, so that some of them are worth a decision. */
const DISTINCT: readonly Kind[] = ['card', 'mac_address', 'ip_address', 'street', 'secret', 'full_name'];
/** The smallest share of such values. Of arbitrary numbers, a tenth has the check digit of a card number. */
const SOME = 0.2;

/** Detects values of a kind beside others, if the name contains no clue. */
function someValues(column: Column): Undecided | undefined {
  const { name, group, values, lists } = column;
  if (name.words.some((word) => UNDECIDABLE_WORDS.has(word))) return undefined;
  for (const kind of DISTINCT) {
    const isName = kind === 'full_name';
    if (!KIND_TESTS[kind].types.includes(group) || isOfThings(kind, column)) continue;
    if (isName && (column.subject === 'thing' || hasNamesOfGoods(column))) continue;
    const share = shareOf(values, valueTest(kind), lists);
    if (share < SOME) continue;
    const obstacle = `${percentOf(share)} of ${values.length} sampled values are of this kind, which are too few for a rule`;
    return { what: KIND_WORDS[kind], obstacle };
  }
  return undefined;
}

/** Kinds whose words have many other meanings, or whose loose test accepts nearly every value. */
const VAGUE: ReadonlySet<Kind> = new Set<Kind>(['free_text', 'username', 'company', 'coordinates']);

function isAboutThings(kind: Kind, column: Column): boolean {
  return isOfThings(kind, column) || (column.subject === 'thing' && ABOUT_PEOPLE.has(kind));
}

const ABOUT_PEOPLE: ReadonlySet<Kind> = new Set<Kind>(['photo', 'national_id']);

function otherValues(kind: Kind, { values, lists }: Column): string | undefined {
  const given = values.filter((value) => !isFiller(value));
  if (given.length === 0 || shareOf(given, isTechnical, lists) >= 0.95) return undefined;
  if (WRITTEN_WITH_SIGNS.has(kind) && isVocabulary(given)) return undefined;
  const share = shareOf(values, KIND_TESTS[kind].loose, lists);
  return `only ${percentOf(share)} of ${values.length} sampled values agree with its name`;
}

/** Kinds whose values have digits, signs or several words. */
const WRITTEN_WITH_SIGNS: ReadonlySet<Kind> = new Set<Kind>([
  ...['email', 'phone', 'card', 'iban', 'birth_date', 'national_id', 'ip_address', 'mac_address'],
  ...['coordinates', 'free_text', 'photo', 'income', 'postcode', 'street'],
] as Kind[]);

/** Tests for a few words that are repeated, such as the names of states and settings. */
function isVocabulary(values: readonly string[]): boolean {
  const different = new Set(values);
  return different.size * 5 <= values.length && [...different].every((value) => /^[\p{L}_-]+$/u.test(value));
}

/** The kinds that columns of a type can contain, although no test of values and no rule covers the type. */
const UNRULED: Readonly<Partial<Record<TypeGroup, ReadonlySet<Kind>>>> = {
  number: new Set<Kind>(['ip_address', 'mac_address', 'secret', 'belief', 'origin', 'orientation']),
  location: LOCATION_KINDS,
};
const RANGES_AND_MONEY: Readonly<Record<string, ReadonlySet<Kind>>> = {
  money: new Set<Kind>(['income']),
  ...Object.fromEntries(
    ['daterange', 'tsrange', 'tstzrange', 'int4range', 'int8range', 'numrange'].map((type) => [
      type,
      new Set<Kind>(['birth_date', 'income']),
    ]),
  ),
};
const UNRULED_TYPES: Readonly<Record<string, ReadonlySet<Kind>>> = {
  ...RANGES_AND_MONEY,
  bool: SENSITIVE_KINDS,
  cidr: new Set<Kind>(['ip_address']),
  ...Object.fromEntries(
    ['box', 'circle', 'line', 'lseg', 'path', 'polygon'].map((type) => [type, LOCATION_KINDS]),
  ),
};

function otherType(kind: Kind, { group, facts: { type } }: Column): string | undefined {
  if (group === 'json') return 'no value inside is recognised as personal';
  const isPossible = UNRULED[group]?.has(kind) === true || UNRULED_TYPES[type]?.has(kind) === true;
  return isPossible ? `init proposes no rule for it in a column of type ${type}` : undefined;
}
