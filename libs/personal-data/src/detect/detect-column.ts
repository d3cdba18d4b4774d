import { readName, subjectOf, type ParsedName } from '../clues/read-name.js';
import { wordsOfName } from '../clues/words-of-name.js';
import { type MentionCounts, ValueSample } from '../documents/value-sample.js';
import { findMention } from '../mentions/find-mention.js';
import type { ColumnFacts, Detection } from './detection.js';
import type { Kind } from '../kind.js';
import { nationalIdOf } from '../values/national-ids.js';
import { isEmailList } from '../values/contact.js';
import type { WordLists } from '../values/word-lists.js';
import { KIND_SHARES, KIND_TESTS, type KindTest } from './kind-tests.js';
import {
  GOODS_WORDS,
  LEDGER_WORDS,
  LOCATION_KINDS,
  LOCATION_WORDS,
  LOOSE_FOR_PEOPLE,
  NETWORK_WORDS,
  PEOPLE_ONLY_KINDS,
  PROGRAM_WORDS,
  SENSITIVE_KINDS,
  UNDECIDABLE_WORDS,
} from './kind-context.js';
import { nameKindOf } from './name-kind.js';
import { typeGroup, type TypeGroup } from './type-group.js';

/** The number of values to inspect in a column. */
const MOST_VALUES = 500;
/** The number of characters to inspect in a value. */
const MOST_CHARACTERS = 2_000;
/** The smallest number of sampled values that can confirm or contradict the name of a column. */
const ENOUGH_VALUES = 3;

interface Column {
  readonly facts: ColumnFacts;
  readonly group: TypeGroup;
  readonly name: ParsedName;
  readonly subject: 'person' | 'thing' | undefined;
  readonly values: readonly string[];
  readonly mentions: MentionCounts;
  readonly lists: WordLists;
}

/**
 * Detects which kind of personal data a column contains, from its name, its type and sampled values.
 * @returns undefined if nothing indicates that the column as a whole is personal
 */
export function detectColumn(facts: ColumnFacts, lists: WordLists): Detection | undefined {
  const column = columnOf(facts, lists);
  return column && (byType(column) ?? byName(column) ?? byValues(column));
}

/**
 * Detects that a few values of a column mention persons, although the column as a whole does not look personal.
 * @returns undefined if no value mentions a person
 */
export function detectFewMentions(facts: ColumnFacts, lists: WordLists): Detection | undefined {
  const column = columnOf(facts, lists);
  if (column?.group !== 'text') return undefined;
  const { seen, email, phone, other } = column.mentions;
  return email + phone + other === 0 ? undefined : mentioned(email + phone + other, seen);
}

function columnOf(facts: ColumnFacts, lists: WordLists): Column | undefined {
  const group = typeGroup(facts.type);
  if (group === 'json' || (group === 'other' && facts.type !== 'uuid')) return undefined;
  const name = readName(facts.column);
  const subject = subjectOf(name.before) ?? subjectOf(wordsOfName(facts.table));
  const values = facts.values
    .slice(0, MOST_VALUES)
    .map((value) => value.slice(0, MOST_CHARACTERS).trim())
    .filter((value) => value !== '');
  const mentions = facts.mentions ?? (group === 'text' ? countMentions(values) : NO_MENTIONS);
  return { facts, group, name, subject, values, mentions, lists };
}

const NO_MENTIONS = new ValueSample(0).mentions;

function countMentions(values: readonly string[]): MentionCounts {
  const sample = new ValueSample(1);
  for (const value of values) sample.add(value, findMention(value, true));
  return sample.mentions;
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
  const share = shareOf(values, test.loose, lists);
  const isContradicted =
    shareOf(
      values.filter((value) => !isFiller(value)),
      test.loose,
      lists,
    ) < KIND_SHARES[kind].confirm && !mentionsKind(kind, column);
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
function detectByWeakName(kind: Kind, column: Column): Detection | undefined {
  const { group, values, subject, lists } = column;
  const test = KIND_TESTS[kind];
  if (!test.types.includes(group)) return undefined;
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
  // In a table about things, a single word is rarely the name of a person, but a full name is.
  if (isName && subject === 'thing' && shareOf(values, KIND_TESTS.full_name.strict, lists) < 0.8)
    return undefined;
  if (values.length >= ENOUGH_VALUES) {
    if (kind === 'free_text') return detectMentions(column);
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
    if ((isName && (subject === 'thing' || group !== 'text')) || isOfThings(kind, column)) continue;
    const strict = kind === 'secret' ? KNOWN_SECRETS : test.strict;
    // A few names are not reported otherwise, as a few addresses are.
    const values = isName ? column.values.filter((value) => !isFiller(value)) : column.values;
    const share = shareOf(values, strict, lists);
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

const KNOWN_SECRETS: KindTest['strict'] = (text, lists) =>
  KIND_TESTS.secret.strict(text, lists) &&
  /^[${-]|^eyJ|^(?:sk|pk|rk)_|^gh[pousr]_|^AKIA|^xox|^(?:pbkdf2|bcrypt|argon2|scrypt)/.test(text);

/** Tests whether any value is of a kind that is recognised in every text. */
function mentionsKind(kind: Kind, { mentions }: Column): boolean {
  return (kind === 'email' || kind === 'phone') && mentions[kind] > 0;
}

/** Returns the share of values that agree with a kind. If none of the sampled values does, all values count. */
function agreeing(kind: Kind, share: number, { values, mentions }: Column): { share: number; seen: number } {
  const isRare = share === 0 && (kind === 'email' || kind === 'phone') && mentions.seen > 0;
  return isRare
    ? { share: mentions[kind] / mentions.seen, seen: mentions.seen }
    : { share, seen: values.length };
}

/** Tests for a text that stands for a missing value, such as `n/a`. */
function isFiller(text: string): boolean {
  return /^(?:n ?\/? ?a|none|null|nil|unknown|unbekannt|inconnu|desconocido|k\. ?a\.|keine?|ohne|tb[ad]|missing|undefined|empty|not (?:set|given|known|available|provided|applicable)|[-–—?.*_#/ ]+|[0x9]+)$/i.test(
    text,
  );
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

function mentioned(count: number, seen: number): Detection {
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

/** Tests whether the data belongs to things. For example, the address of a shop or an airport is not personal. */
function isOfThings(kind: Kind, { subject, name, facts }: Column): boolean {
  const words = [...wordsOfName(facts.table), ...name.before];
  if (SENSITIVE_KINDS.has(kind)) return subject === 'thing' || words.some((word) => LEDGER_WORDS.has(word));
  if (!LOCATION_KINDS.has(kind) && kind !== 'free_text') return false;
  if (kind === 'free_text') {
    return (
      (subject === 'thing' && words.some((word) => GOODS_WORDS.has(word))) ||
      name.before.some((word) => PROGRAM_WORDS.has(word))
    );
  }
  return words.some((word) => LOCATION_WORDS.has(word)) && subjectOf(name.before) !== 'person';
}

function strictName(values: readonly string[], lists: WordLists): number {
  return Math.max(
    ...(['full_name', 'first_name', 'last_name'] as const).map((kind) =>
      shareOf(values, KIND_TESTS[kind].strict, lists),
    ),
  );
}

function shareOf(values: readonly string[], test: KindTest['loose'], lists: WordLists): number {
  return values.length === 0 ? 0 : values.filter((value) => test(value, lists)).length / values.length;
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
