import { isEmailList } from '../values/contact.js';
import { isFiller, withoutFillers } from '../values/fillers.js';
import { nationalIdOf } from '../values/national-ids.js';
import type { WordLists } from '../values/word-lists.js';
import { type Column, columnOf, hasNamesOfGoods, isOfThings, shareOf } from './column.js';
import type { ColumnFacts, Detection } from './detection.js';
import type { Kind } from '../kind.js';
import { KIND_SHARES, KIND_TESTS, type KindTest } from './kind-tests.js';
import {
  AMBIGUOUS_KINDS,
  LOOSE_FOR_PEOPLE,
  NETWORK_WORDS,
  PEOPLE_ONLY_KINDS,
  SENSITIVE_KINDS,
  UNDECIDABLE_WORDS,
} from './kind-context.js';
import { nameKindOf } from './name-kind.js';

/** The smallest number of sampled values that can confirm or contradict the name of a column. */
const ENOUGH_VALUES = 3;

/**
 * Detects which kind of personal data a column contains, from its name, its type and sampled values.
 * @returns undefined if nothing indicates that the column as a whole is personal
 */
export function detectColumn(facts: ColumnFacts, lists: WordLists): Detection | undefined {
  const column = columnOf(facts, lists);
  if (column.group === 'json' || (column.group === 'other' && facts.type !== 'uuid')) return undefined;
  return byType(column) ?? byName(column) ?? byValues(column);
}

/** Detects the kind from the column's type, for types such as inet that have one purpose. */
function byType(column: Column): Detection | undefined {
  const { group, name, facts } = column;
  const because = { name: undefined, type: true } as const;
  if (group === 'inet' && !name.words.some((word) => NETWORK_WORDS.has(word)))
    return { kind: 'ip_address', because };
  if (group === 'mac') return { kind: 'mac_address', because };
  if (facts.type === 'uuid' && name.clues.get('secret') === 'strong')
    return { kind: 'secret', because: { name: 'strong', type: false } };
  if (group === 'location' && name.clues.has('coordinates') && !isOfThings('coordinates', column))
    return { kind: 'coordinates', because: { name: name.clues.get('coordinates'), type: true } };
  return undefined;
}

function byName(column: Column): Detection | undefined {
  const { name } = column;
  const found: Detection[] = [];
  for (const strength of ['strong', 'weak'] as const) {
    for (const [kind, own] of name.clues) {
      if (own !== strength) continue;
      const detection =
        strength === 'strong' ? detectByStrongName(kind, column) : detectByWeakName(kind, column);
      if (detection !== undefined) found.push(detection);
    }
  }
  // If several clues match, the values decide.
  return found.sort((a, b) => weightOf(b) - weightOf(a))[0];
}

function weightOf({ because }: Detection): number {
  return (because.name === 'strong' ? 1 : 0) + (because.values?.share ?? 0);
}

/** Detects a kind from a strong clue in the name. The clue is sufficient unless the values contradict it. */
function detectByStrongName(kind: Kind, column: Column): Detection | undefined {
  const { group, values, subject, lists } = column;
  const test = KIND_TESTS[kind];
  if (!test.types.includes(group) || isOfThings(kind, column)) return undefined;
  if (kind === 'photo' && subject === 'thing') return undefined;
  const usesValues = group === 'text' || group === 'number' || (kind === 'birth_date' && group === 'date');
  const share = shareOf(values, (text) => test.loose(text, lists) || test.strict(text, lists), lists);
  const isContradicted =
    shareOf(withoutFillers(values, test, lists), test.loose, lists) < KIND_SHARES[kind].confirm &&
    !isShown(kind, column);
  if (usesValues && values.length >= ENOUGH_VALUES && isContradicted) return detectOtherKind(column, kind);
  if (kind === 'national_id' && subject === 'thing' && !isStrict(test, column)) return undefined;
  const seen = usesValues && values.length > 0 ? { values: agreeing(kind, share, column) } : {};
  return refineKind({ kind, because: { name: 'strong', type: false, ...seen } }, column);
}

/**
 * Detects a kind from a weak clue in the column's name. The values must confirm the clue. With fewer than
 * ENOUGH_VALUES values, accepts a clue only in a table about people. The clue must then be for pictures, or
 * for names of people in a column that passes {@link isBareName}.
 */
function detectByWeakName(kind: Kind, whole: Column): Detection | undefined {
  const { group, subject, lists } = whole;
  const test = KIND_TESTS[kind];
  if (!test.types.includes(group)) return undefined;
  const known = withoutFillers(whole.values, test, lists);
  const values = known.length < ENOUGH_VALUES ? whole.values : known;
  const column = { ...whole, values };
  const believed = (share?: number): Detection => {
    const seen = share === undefined ? {} : { values: { share, seen: values.length } };
    return refineKind({ kind, because: { name: 'weak', type: false, ...seen } }, column);
  };
  if (
    SENSITIVE_KINDS.has(kind) &&
    (isOfThings(kind, column) || (PEOPLE_ONLY_KINDS.has(kind) && subject !== 'person'))
  )
    return undefined;
  const strict = shareOf(values, test.strict, lists);
  const isName = kind === 'full_name' || kind === 'first_name' || kind === 'last_name';
  if (isName && hasNamesOfGoods(column)) return undefined;
  // In a table about things, a single word is rarely the name of a person, but a full name is.
  if (isName && subject === 'thing' && shareOf(values, KIND_TESTS.full_name.strict, lists) < 0.8)
    return undefined;
  if (values.length >= ENOUGH_VALUES) {
    if (kind === 'free_text') return detectMentions(whole);
    if (kind === 'photo' && subject !== 'person') return undefined;
    const agrees = kind === 'full_name' ? strictName(values, lists) : strict;
    const isSeen =
      agrees >= KIND_SHARES[kind].hint ||
      (isName && subject === 'person' && agrees >= 0.15 && shareOf(values, test.loose, lists) >= 0.8);
    if (isSeen) return believed(agrees);
    if (!LOOSE_FOR_PEOPLE.has(kind) || subject !== 'person') return undefined;
    const share = shareOf(values, test.loose, lists);
    return share >= 0.8 ? believed(share) : undefined;
  }
  if (subject !== 'person' || !(isName || kind === 'photo')) return undefined;
  return kind === 'photo' || isBareName(column) ? believed() : undefined;
}

/**
 * Tests whether the column's name ends with a word for "name", as in `customer_name`, or with "first" or
 * "last". Other columns with a clue for names, such as `owner` or `manager`, often contain ids.
 */
function isBareName({ name }: Column): boolean {
  return ['name', 'naam', 'namn', 'nom', 'nombre', 'nome', 'names', 'first', 'last'].includes(
    name.words.at(-1) ?? '',
  );
}

/** Detects another kind from the values, after the values have contradicted the name. */
function detectOtherKind(column: Column, not: Kind): Detection | undefined {
  const detection = byValues(column);
  return detection?.kind === not ? undefined : detection;
}

function byValues(column: Column): Detection | undefined {
  const { group, lists, name, subject } = column;
  if (group !== 'text' && group !== 'number') return undefined;
  const isUndecidable = name.words.some((word) => UNDECIDABLE_WORDS.has(word));
  for (const [kind, test] of Object.entries(KIND_TESTS) as [Kind, KindTest][]) {
    const { valuesOnly } = KIND_SHARES[kind];
    if (valuesOnly === undefined || !test.types.includes(group)) continue;
    if (isUndecidable && kind !== 'email') continue;
    const isName = kind === 'full_name' || kind === 'first_name' || kind === 'last_name';
    if (isName && hasNamesOfGoods(column)) continue;
    if ((isName && (subject === 'thing' || group !== 'text')) || isOfThings(kind, column)) continue;
    // A few names are not reported otherwise, as a few addresses are.
    const values = isName ? column.values.filter((value) => !isFiller(value)) : column.values;
    const share = shareOf(values, valueTest(kind), lists);
    if (share < valuesOnly.share || share * values.length < valuesOnly.least) continue;
    if (isName && new Set(values).size < valuesOnly.least) continue;
    // If all values are the same word, they do not show that the column contains a category.
    if (SENSITIVE_KINDS.has(kind) && new Set(values).size < 2) continue;
    if (kind === 'national_id' && !isByItselfAnId(values)) continue;
    const because = { name: undefined, type: false, values: { share, seen: values.length } };
    return refineKind({ kind, because }, { ...column, values });
  }
  return detectMentions(column);
}

/** Returns the test that shows, without a clue in the name, that a value is of a kind. */
export function valueTest(kind: Kind): KindTest['strict'] {
  return kind === 'secret' ? KNOWN_SECRETS : KIND_TESTS[kind].strict;
}

const KNOWN_SECRETS: KindTest['strict'] = (text, lists) =>
  KIND_TESTS.secret.strict(text, lists) &&
  /^[${-]|^eyJ|^(?:sk|pk|rk)_|^gh[pousr]_|^AKIA|^xox|^(?:pbkdf2|bcrypt|argon2|scrypt)/.test(text);

/** Tests whether any value is certainly of a kind. */
function isShown(kind: Kind, { mentions, values, lists }: Column): boolean {
  if ((kind === 'email' || kind === 'phone') && mentions[kind] > 0) return true;
  return !AMBIGUOUS_KINDS.has(kind) && values.some((value) => KIND_TESTS[kind].strict(value, lists));
}

/** Returns the share of values that agree with a kind. If none of the sampled values does, all values count. */
function agreeing(kind: Kind, share: number, { values, mentions }: Column): { share: number; seen: number } {
  const isRare = share === 0 && (kind === 'email' || kind === 'phone') && mentions.seen > 0;
  return isRare
    ? { share: mentions[kind] / mentions.seen, seen: mentions.seen }
    : { share, seen: values.length };
}

/** A column counts as text about people if at least this share and number of its values mention a person. */
const MENTIONS = { share: 0.08, least: 2 };

/**
 * Detects texts that mention persons. Ignores the column's name. Values that are nothing but addresses do not count,
 * because the other values of the column can be something else.
 */
function detectMentions({ values, mentions, group, facts }: Column): Detection | undefined {
  if (group !== 'text' || facts.type === 'name') return undefined;
  const bare = values.filter(isEmailList).length / Math.max(1, values.length);
  const count = mentions.email + mentions.phone + mentions.other - Math.ceil(bare * mentions.seen);
  if (count < MENTIONS.least || count < mentions.seen * MENTIONS.share) return undefined;
  return mentioned(count, mentions.seen);
}

export function mentioned(count: number, seen: number): Detection {
  const values = { share: count / seen, seen };
  return { kind: 'free_text', because: { name: undefined, type: false, values, mentions: true } };
}

function isByItselfAnId(values: readonly string[]): boolean {
  const found = nationalIdOf(values);
  return found !== undefined && found.id.isDistinct && found.share >= 0.95;
}

function isStrict(test: KindTest, { values, lists }: Column): boolean {
  return values.length >= ENOUGH_VALUES && shareOf(values, test.strict, lists) >= 0.8;
}

function strictName(values: readonly string[], lists: WordLists): number {
  return Math.max(
    ...(['full_name', 'first_name', 'last_name'] as const).map((kind) =>
      shareOf(values, KIND_TESTS[kind].strict, lists),
    ),
  );
}

/** Refines a detection: distinguishes first, last and full names; finds the country of an identity number. */
function refineKind(detection: Detection, { facts, values, lists, name }: Column): Detection {
  if (detection.kind === 'full_name' && name.clues.get('full_name') !== 'strong') {
    return { ...detection, kind: nameKindOf(facts, values, lists) };
  }
  if (detection.kind !== 'national_id') return detection;
  const found = nationalIdOf(values);
  return found === undefined || found.share < 0.5 ? detection : { ...detection, country: found.id.country };
}
