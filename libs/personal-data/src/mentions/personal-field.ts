import { readName } from '../clues/read-name.js';
import { KIND_TESTS } from '../detect/kind-tests.js';
import type { Kind } from '../kind.js';
import { couldBeBirth, yearOf } from '../values/dates.js';
import { WordLists } from '../values/word-lists.js';

const NO_LISTS = new WordLists(new Map());
const looksLike =
  (kind: Kind) =>
  (value: string): boolean =>
    KIND_TESTS[kind].loose(value, NO_LISTS);
const is =
  (kind: Kind) =>
  (value: string): boolean =>
    KIND_TESTS[kind].strict(value, NO_LISTS);
const isNamed =
  (kind: Kind) =>
  (value: string): boolean =>
    looksLike(kind)(value) && value.split(/\s+/).length <= 4;

/** The kinds whose values are recognised by a label, each with the test that its value must pass. */
const FIELD_TESTS: Partial<Readonly<Record<Kind, (value: string) => boolean>>> = {
  first_name: isNamed('first_name'),
  last_name: isNamed('last_name'),
  full_name: isNamed('full_name'),
  phone: looksLike('phone'),
  street: is('street'),
  card: looksLike('card'),
  iban: looksLike('iban'),
  birth_date: (value) => yearOf(value) !== undefined && couldBeBirth(value),
  national_id: looksLike('national_id'),
  secret: is('secret'),
  ip_address: is('ip_address'),
  gender: is('gender'),
  marital_status: is('marital_status'),
  belief: is('belief'),
  origin: is('origin'),
  orientation: is('orientation'),
  income: is('income'),
};

const SEPARATOR = /[:=]/g;
const LONGEST_LABEL = 60;
const MAX_WORDS = 3;

/** Returns the label of up to three words that ends before an index, possibly with quotes that are escaped. */
function labelBefore(text: string, index: number): string | undefined {
  const least = Math.max(0, index - LONGEST_LABEL);
  let end = index;
  while (end > least && IS_BETWEEN.test(text.charAt(end - 1))) end--;
  let start = end;
  for (let words = 1; start > least; start--) {
    if (IS_OF_WORD.test(text.charAt(start - 1))) continue;
    const isGap = text.charAt(start - 1) === ' ' && start < end && IS_OF_WORD.test(text.charAt(start - 2));
    if (!isGap || words++ === MAX_WORDS) break;
  }
  const label = text.slice(start, end);
  return HAS_LETTER.test(label) ? label : undefined;
}

const IS_BETWEEN = /["'\\\s]/;
const IS_OF_WORD = /[\w.\u0080-\uffff-]/;
const HAS_LETTER = /[^\d\s._-]/;
const VALUE_AFTER = /[=>]?\s{0,4}["'\\]{0,8}([^\s"'\\<>{}[\],;&|][^"'\\<>{}[\],;&|\r\n]{0,119})(.?)/uy;
const ELEMENT =
  /<(?:[\w.-]{1,40}:)?([\p{L}_][\p{L}\p{N}_.-]{0,40})(?:\s[^<>]{0,200})?>\s{0,20}(?:<!\[CDATA\[)?([^<>[\]]{1,120})(?:\]\]>)?\s{0,20}<\//gu;

/**
 * Tests whether a text has a personal value with a label that names its kind, as in `ssn=…`, `"ssn": "…"` or
 * `<ssn>…</ssn>`. The text may be of any format, such as JSON, XML, YAML or the query of a URL.
 * @param isEnd whether the text ends here; if not, a value at its end may continue, and does not count
 */
export function hasPersonalField(text: string, isEnd: boolean): boolean {
  for (const { index } of text.matchAll(SEPARATOR)) {
    const label = labelBefore(text, index);
    if (label === undefined) continue;
    VALUE_AFTER.lastIndex = index + 1;
    const [, value, next] = VALUE_AFTER.exec(text) ?? [];
    if (value === undefined || (next === '' && !isEnd && VALUE_AFTER.lastIndex === text.length)) continue;
    if (isPersonalField(label, value)) return true;
  }
  for (const [, label = '', value = ''] of text.matchAll(ELEMENT))
    if (isPersonalField(label, value)) return true;
  return false;
}

function isPersonalField(label: string, value: string): boolean {
  const tests = testsOf(label);
  if (tests.length === 0) return false;
  // The query of a URL has `+` for spaces.
  const whole = value.replaceAll('+', ' ').trim();
  // In `first_name=Anna last_name=Berg` a value ends with its word.
  const word = /^\S+(?=\s.*[:=])/.exec(whole)?.[0];
  return tests.some((test) => test(whole) || (word !== undefined && test(word)));
}

const MAX_LABELS = 2_000;
const known = new Map<string, readonly ((value: string) => boolean)[]>();

/** Returns the tests for the kinds that a label names. Remembers the tests of some labels, because most labels recur. */
function testsOf(label: string): readonly ((value: string) => boolean)[] {
  const remembered = known.get(label);
  if (remembered !== undefined) return remembered;
  const tests = [...readName(label).clues].flatMap(([kind, strength]) =>
    strength === 'strong' ? (FIELD_TESTS[kind] ?? []) : [],
  );
  if (known.size >= MAX_LABELS) known.clear();
  known.set(label, tests);
  return tests;
}
