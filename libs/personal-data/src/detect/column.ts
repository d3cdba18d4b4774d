import { readName, subjectOf, type ParsedName } from '../clues/read-name.js';
import { wordsOfName } from '../clues/words-of-name.js';
import { type MentionCounts, ValueSample } from '../documents/value-sample.js';
import { findMention } from '../mentions/find-mention.js';
import type { Kind } from '../kind.js';
import type { WordLists } from '../values/word-lists.js';
import type { ColumnFacts } from './detection.js';
import { THING_WORDS } from '../clues/context-words.js';
import {
  GOODS_WORDS,
  LEDGER_WORDS,
  LOCATION_KINDS,
  LOCATION_WORDS,
  PROGRAM_WORDS,
  SENSITIVE_KINDS,
} from './kind-context.js';
import { typeGroup, type TypeGroup } from './type-group.js';

/** The number of values to inspect in a column. */
const MAX_VALUES = 500;
/** The number of characters to inspect in a value. */
const MAX_CHARACTERS = 2_000;

/** The facts about a column, with what follows from its name, its table and its type. */
export interface Column {
  readonly facts: ColumnFacts;
  readonly group: TypeGroup;
  readonly name: ParsedName;
  readonly subject: 'person' | 'thing' | undefined;
  /** The inspected values, without spaces at their ends and with the usual forms of characters such as `１`. */
  readonly values: readonly string[];
  readonly mentions: MentionCounts;
  readonly lists: WordLists;
}

export function columnOf(facts: ColumnFacts, lists: WordLists): Column {
  const group = typeGroup(facts.type);
  const parsed = readName(facts.column);
  const subject = subjectOf(parsed.before) ?? subjectOf(wordsOfName(facts.table));
  const all = facts.values
    .slice(0, MAX_VALUES)
    .map((value) => value.slice(0, MAX_CHARACTERS).normalize('NFKC').trim())
    .filter((value) => value !== '');
  const values = MESSAGE_ID_NAME.test(parsed.words.join(' '))
    ? all.filter((value) => !isMessageId(value))
    : all;
  const areMessageIds = values.length === 0 && all.length > 0;
  const name = areMessageIds ? { ...parsed, clues: new Map(), partial: new Set<Kind>() } : parsed;
  const counted = areMessageIds || group !== 'text' ? NO_MENTIONS : countMentions(values);
  const mentions = areMessageIds ? NO_MENTIONS : (facts.mentions ?? counted);
  return { facts, group, name, subject, values, mentions, lists };
}

const MESSAGE_ID_NAME =
  /(?:^| )(?:(?:message|msg|mail|email|thread) ?id|messageid|msgid|in reply to|references)$/;

/** Tests for the id of an e-mail: one or several texts like addresses in angle brackets, with digits before the `@`. */
function isMessageId(text: string): boolean {
  return /^(?:<[^<>@\s]*\d[^<>@\s]*@[^<>@\s]+>\s*)+$/.test(text);
}

const NO_MENTIONS = new ValueSample(0).mentions;

function countMentions(values: readonly string[]): MentionCounts {
  const sample = new ValueSample(1);
  for (const value of values) sample.add(value, findMention(value, true));
  return sample.mentions;
}

/** Tests whether the data belongs to things. For example, the address of a shop or an airport is not personal. */
export function isOfThings(kind: Kind, { subject, name, facts }: Column): boolean {
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

/** Tests whether a column has the names of goods, as `nombre_articulo` and `name` in a table of products. */
export function hasNamesOfGoods({ name, subject, facts }: Column): boolean {
  if (subject === 'person') return false;
  if (name.after.length > 0) return name.after.some((word) => THING_WORDS.has(word));
  const words = name.before.length > 0 ? name.before : wordsOfName(facts.table);
  return subject === 'thing' && words.some((word) => GOODS_WORDS.has(word));
}

/** Returns the share of values that pass a test; 0 if there are none. */
export function shareOf(
  values: readonly string[],
  test: (text: string, lists: WordLists) => boolean,
  lists: WordLists,
): number {
  return values.length === 0 ? 0 : values.filter((value) => test(value, lists)).length / values.length;
}
