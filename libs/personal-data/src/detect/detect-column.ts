import { readName, subjectOf, type NameReading } from '../clues/read-name.js';
import { wordsOfName } from '../clues/words-of-name.js';
import type { ColumnFacts, Detection } from './detection.js';
import type { Kind } from '../kind.js';
import { nationalIdOf } from '../values/national-ids.js';
import type { WordLists } from '../values/word-lists.js';
import { KIND_SHARES, KIND_TESTS, MENTIONS, type KindTest } from './kind-tests.js';
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

/** Values of a column that are looked at, and characters of each. */
const MOST_VALUES = 500;
const MOST_CHARACTERS = 2_000;
/** Fewer values than these cannot contradict a name. */
const ENOUGH_VALUES = 3;

interface Column {
  readonly facts: ColumnFacts;
  readonly group: TypeGroup;
  readonly name: NameReading;
  readonly subject: 'person' | 'thing' | undefined;
  readonly values: readonly string[];
  readonly lists: WordLists;
}

/** What a column holds of persons, by its name, its type and the values that were seen; undefined where nothing says so. */
export function detectColumn(facts: ColumnFacts, lists: WordLists): Detection | undefined {
  const group = typeGroup(facts.type);
  if (group === 'json' || (group === 'other' && facts.type !== 'uuid')) return undefined;
  const name = readName(facts.column);
  const subject = subjectOf(name.before) ?? subjectOf(wordsOfName(facts.table));
  const values = facts.values
    .slice(0, MOST_VALUES)
    .map((value) => value.slice(0, MOST_CHARACTERS).trim())
    .filter((value) => value !== '');
  const question = { facts, group, name, subject, values, lists };
  return byType(question) ?? byName(question) ?? byValues(question);
}

/** Some types are made for it. */
function byType(question: Column): Detection | undefined {
  const { group, name, facts } = question;
  const because = { name: undefined, type: true } as const;
  if (group === 'inet' && !name.words.some((word) => NETWORK_WORDS.has(word)))
    return { kind: 'ip_address', because };
  if (group === 'mac') return { kind: 'mac_address', because };
  if (facts.type === 'uuid' && name.clues.get('secret') === 'strong')
    return { kind: 'secret', because: { name: 'strong', type: false } };
  if (group === 'place' && name.clues.has('coordinates') && !isOfThings('coordinates', question))
    return { kind: 'coordinates', because: { name: name.clues.get('coordinates'), type: true } };
  return undefined;
}

function byName(question: Column): Detection | undefined {
  const { name } = question;
  const found: Detection[] = [];
  for (const strength of ['strong', 'weak'] as const) {
    for (const [kind, own] of name.clues) {
      if (own !== strength) continue;
      const detection =
        strength === 'strong' ? detectByStrongName(kind, question) : detectByWeakName(kind, question);
      if (detection !== undefined) found.push(detection);
    }
  }
  // Of several the values decide.
  return found.sort((a, b) => weightOf(b) - weightOf(a))[0];
}

function weightOf({ because }: Detection): number {
  return (because.name === 'strong' ? 1 : 0) + (because.values?.share ?? 0);
}

/** The name is enough, unless the values say something else. */
function detectByStrongName(kind: Kind, question: Column): Detection | undefined {
  const { group, values, subject, lists } = question;
  const test = KIND_TESTS[kind];
  if (!test.types.includes(group) || isOfThings(kind, question)) return undefined;
  if (kind === 'photo' && subject === 'thing') return undefined;
  const asked = group === 'text' || group === 'number' || (kind === 'birth_date' && group === 'date');
  const share = shareOf(values, test.loose, lists);
  if (asked && values.length >= ENOUGH_VALUES && share < KIND_SHARES[kind].confirm)
    return detectOtherKind(question, kind);
  if (kind === 'national_id' && subject === 'thing' && !isStrict(test, question)) return undefined;
  const seen = asked && values.length > 0 ? { values: { share, seen: values.length } } : {};
  return refineKind({ kind, because: { name: 'strong', type: false, ...seen } }, question);
}

/** The name is a hint: the values have to agree, or, for names, the table has to be about people. */
function detectByWeakName(kind: Kind, question: Column): Detection | undefined {
  const { group, values, subject, lists } = question;
  const test = KIND_TESTS[kind];
  if (!test.types.includes(group)) return undefined;
  const believed = (share?: number): Detection => {
    const seen = share === undefined ? {} : { values: { share, seen: values.length } };
    return refineKind({ kind, because: { name: 'weak', type: false, ...seen } }, question);
  };
  if (
    SENSITIVE_KINDS.has(kind) &&
    (isOfThings(kind, question) || (PEOPLE_ONLY_KINDS.has(kind) && subject !== 'person'))
  )
    return undefined;
  const strict = shareOf(values, test.strict, lists);
  const isName = kind === 'full_name' || kind === 'first_name' || kind === 'last_name';
  // One word may be anything; of things, whole names alone are names of people.
  if (isName && subject === 'thing' && shareOf(values, KIND_TESTS.full_name.strict, lists) < 0.8)
    return undefined;
  if (values.length >= ENOUGH_VALUES) {
    if (kind === 'free_text') return detectMentions(question);
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
  return kind === 'photo' || isBareName(question) ? believed() : undefined;
}

/** `name` and `customer_name`, not `owner` or `manager`, which are more often numbers of rows. */
function isBareName({ name }: Column): boolean {
  return ['name', 'naam', 'namn', 'nom', 'nombre', 'nome', 'names', 'first', 'last'].includes(
    name.words.at(-1) ?? '',
  );
}

/** A name said it, the values did not: perhaps they are another kind of the same family. */
function detectOtherKind(question: Column, not: Kind): Detection | undefined {
  const detection = byValues(question);
  return detection?.kind === not ? undefined : detection;
}

function byValues(question: Column): Detection | undefined {
  const { values, group, lists, name, subject } = question;
  if (group !== 'text' && group !== 'number') return undefined;
  if (name.words.some((word) => UNDECIDABLE_WORDS.has(word))) return undefined;
  for (const [kind, test] of Object.entries(KIND_TESTS) as [Kind, KindTest][]) {
    const { valuesOnly: alone } = KIND_SHARES[kind];
    if (alone === undefined || !test.types.includes(group)) continue;
    const isName = kind === 'full_name' || kind === 'first_name' || kind === 'last_name';
    if ((isName && (subject === 'thing' || group !== 'text')) || isOfThings(kind, question)) continue;
    const strict = kind === 'secret' ? KNOWN_SECRETS : test.strict;
    const share = shareOf(values, strict, lists);
    if (share < alone.share || share * values.length < alone.least) continue;
    if (isName && new Set(values).size < alone.least) continue;
    // A single word is no category of several.
    if (SENSITIVE_KINDS.has(kind) && new Set(values).size < 2) continue;
    if (kind === 'national_id' && !isByItselfAnId(values)) continue;
    const because = { name: undefined, type: false, values: { share, seen: values.length } };
    return refineKind({ kind, because }, question);
  }
  return detectMentions(question);
}

const KNOWN_SECRETS: KindTest['strict'] = (text, lists) =>
  KIND_TESTS.secret.strict(text, lists) &&
  /^[${-]|^eyJ|^(?:sk|pk|rk)_|^gh[pousr]_|^AKIA|^xox|^(?:pbkdf2|bcrypt|argon2|scrypt)/.test(text);

/** Texts in which people are mentioned, however they are called. */
function detectMentions({ values, group, facts }: Column): Detection | undefined {
  if (group !== 'text' || facts.type === 'name') return undefined;
  const count = values.filter(MENTIONS.test).length;
  if (count < MENTIONS.least || count < values.length * MENTIONS.share) return undefined;
  return {
    kind: 'free_text',
    because: {
      name: undefined,
      type: false,
      values: { share: count / values.length, seen: values.length },
      mentions: true,
    },
  };
}

function isByItselfAnId(values: readonly string[]): boolean {
  const found = nationalIdOf(values);
  return found !== undefined && found.id.isDistinct && found.share >= 0.95;
}

function isStrict(test: KindTest, { values, lists }: Column): boolean {
  return values.length >= ENOUGH_VALUES && shareOf(values, test.strict, lists) >= 0.8;
}

/** Addresses, towns and places of shops, airports and countries are nobody's. */
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

/** What else follows from the kind. */
function refineKind(detection: Detection, { facts, values, lists, name }: Column): Detection {
  if (detection.kind === 'full_name' && name.clues.get('full_name') !== 'strong') {
    return { ...detection, kind: nameKindOf(facts, values, lists) };
  }
  if (detection.kind !== 'national_id') return detection;
  const found = nationalIdOf(values);
  return found === undefined || found.share < 0.5 ? detection : { ...detection, country: found.id.country };
}
