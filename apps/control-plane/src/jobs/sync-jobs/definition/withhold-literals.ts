import { isExactDecimal } from '@understudy/expression';
import { exactFieldPath } from '@understudy/sync-job';

import { isRecord } from '../../../platform/http/dto/read-dto.js';

/** A value of a request without its withheld parts, and the paths of these parts. */
export interface Withheld<T> {
  readonly shown: T;
  /** Paths in the request, such as `tables[0].columns.email.pattern`. The value at each path is null. */
  readonly withheld: readonly string[];
}

type Rules = Readonly<Record<string, unknown>>;

/**
 * Replaces the parts of rules that can contain values of rows with null. Pure. It shows a part only if this
 * file names its key, so new kinds of rules are withheld at first. The API refuses null at each withheld path.
 * @param rules the rules by column, or by path inside a JSON document
 * @param path the path of `rules` in the request
 */
export function withholdLiterals(rules: Rules, path: string): Withheld<Rules> {
  const parts = Object.entries(rules).map(
    ([name, rule]) => [name, withholdFromRule(rule, exactFieldPath(path, name))] as const,
  );
  return {
    shown: Object.fromEntries(parts.map(([name, { shown }]) => [name, shown])),
    withheld: parts.flatMap(([, { withheld }]) => withheld),
  };
}

function withholdFromRule(rule: unknown, path: string): Withheld<unknown> {
  if (!isRecord(rule)) return nothing(path);
  const parts = Object.entries(rule).map(([key, value]): [string, Withheld<unknown>] => {
    const here = exactFieldPath(path, key);
    if (key === 'json' && isRecord(value)) return [key, withholdLiterals(value, here)];
    return [key, isShown(key, value, rule) ? { shown: value, withheld: [] } : nothing(here)];
  });
  // Some generators accept null as the value of other keys, so the whole rule is withheld then.
  if (parts.some(([key, { shown }]) => shown === null && !REFUSE_NULL.has(key))) return nothing(path);
  return {
    shown: Object.fromEntries(parts.map(([key, { shown }]) => [key, shown])),
    withheld: parts.flatMap(([, { withheld }]) => withheld),
  };
}

const nothing = (path: string): Withheld<null> => ({ shown: null, withheld: [path] });

/** The keys at which null is refused in every rule. */
const REFUSE_NULL: ReadonlySet<string> = new Set(['generator', 'pattern', 'transform', 'constraints']);

/** The keys whose values name a model, a generator or a mode, or switch a modifier on. */
const NAMES_AND_SWITCHES: ReadonlySet<string> = new Set([
  ...['preserve', 'type', 'use', 'algorithm', 'source', 'key', 'mode'],
  ...['train', 'nullable', 'differs', 'consistent', 'unique'],
]);

function isShown(key: string, value: unknown, rule: Rules): boolean {
  if (NAMES_AND_SWITCHES.has(key)) return value !== null;
  switch (key) {
    case 'generator':
      return (
        typeof value === 'string' || (isRecord(value) && withholdFromRule(value, '').withheld.length === 0)
      );
    case 'pattern':
      return typeof value === 'string' && isShownTemplate(value);
    case 'transform':
      return typeof value === 'string' && !COMPARES_OR_QUOTES.test(value);
    case 'generation':
      return (
        isRecord(value) && Object.entries(value).every(([name, part]) => name === 'mode' || hasNoText(part))
      );
    case 'constraints':
      return hasNoText(value);
    // The params of built-in algorithms are formats and bounds. Those of compositions can be any value.
    case 'params':
      return Object.hasOwn(rule, 'algorithm') && everyText(value, isShownTemplate);
    default:
      return false;
  }
}

/** Matches an expression that contains a text literal or compares values. A literal in it can be a row value. */
const COMPARES_OR_QUOTES = /['"<>=!?]/;

/** The text outside the expressions of a template is the same for every row, so it is no value of a row. */
function isShownTemplate(text: string): boolean {
  const start = text.indexOf('{{');
  return start < 0 || !COMPARES_OR_QUOTES.test(text.slice(start, text.lastIndexOf('}}')));
}

const hasNoText = (value: unknown): boolean => everyText(value, () => false);

/** Returns whether a value is null-free JSON whose texts all meet the condition. Keys of objects do not count. */
function everyText(value: unknown, condition: (text: string) => boolean): boolean {
  if (typeof value === 'string') return condition(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return true;
  if (isExactDecimal(value)) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((part) => everyText(part, condition))
  );
}
