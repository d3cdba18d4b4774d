import { deriveKey, RandomStream, rootKey, type Key } from '@understudy/random';
import type { DefinitionPlan } from '../compile/compile-definition.js';

/** A plan whose values are counted, or a plan whose values another plan reads. */
export interface CountedPlan extends Pick<DefinitionPlan, 'value' | 'references'> {
  readonly variety?: DefinitionPlan['variety'];
  /** Returns the text of a value, or null for NULL, which is not counted. */
  readonly textOf: (value: unknown) => string | null;
}

export interface DistinctCountRequest {
  readonly plan: CountedPlan;
  /** The plans whose values other plans read, by name. */
  readonly columns: ReadonlyMap<string, CountedPlan>;
  /** The binding names, in the order in which the plans were compiled. */
  readonly bindings: readonly string[];
  readonly limit: number;
}

/**
 * Counts the distinct texts that a plan produces, up to `limit`. May miss values with a probability below 1 /
 * (50 × `limit`). The same arguments give the same count. Costs a few draws more than `limit` if the plan has
 * many values, and at most 50 × `limit` draws if it has few.
 */
export function countDistinct({ plan, columns, bindings, limit }: DistinctCountRequest): number {
  const slots = new Map(bindings.map((name, slot) => [name, slot]));
  const read = readBefore(plan, columns).flatMap((name) => {
    const column = columns.get(name);
    return column === undefined ? [] : [{ column, slot: slots.get(name) ?? 0, key: deriveKey(KEY, name) }];
  });
  const seen = new Set<string>();
  const draw = (row: number): void => {
    const bound: unknown[] = bindings.map(() => null);
    try {
      for (const { column, slot, key } of read) bound[slot] = textAt(column, key, row, bound);
      const text = textAt(plan, KEY, row, bound);
      if (text !== null) seen.add(text);
    } catch {
      // A row on which the rule fails has no value, so it does not count. A job that meets such a row reports
      // the error.
    }
  };
  const drawTo = (end: number, from = 0): void => {
    for (let row = from; row < end && seen.size < limit; row += 1) draw(row);
  };
  drawTo(FIRST_ROWS * limit);
  if (seen.size >= limit) return limit;
  const most = plan.references.length === 0 ? (plan.variety?.()?.most ?? Infinity) : Infinity;
  if (most > seen.size) drawTo(DRAWS * limit, FIRST_ROWS * limit);
  return seen.size;
}

/**
 * The number of rows that are drawn, as a multiple of the limit. If there are n equally likely values, 50 n
 * draws miss one of them with a probability below n × 2^-72.
 */
const DRAWS = 50;
/**
 * The number of rows that are drawn before the variety is checked, as a multiple of the limit. Plans with
 * many values reach the limit within these rows and skip the check.
 */
const FIRST_ROWS = 4;
const KEY = rootKey('distinct values', 0);
const random = new RandomStream();

function textAt(plan: CountedPlan, key: Key, row: number, bound: readonly unknown[]): string | null {
  random.seek(key, row);
  return plan.textOf(plan.value(key, random.uint32(), random.uint32(), 0, bound, row));
}

/**
 * Returns the names that a plan reads, directly or through other plans. Each name follows the names that its
 * own plan reads, except in a cycle.
 */
function readBefore(plan: CountedPlan, columns: ReadonlyMap<string, CountedPlan>): readonly string[] {
  const ordered = new Set<string>();
  const open = new Set<string>();
  const visit = ({ references }: CountedPlan): void => {
    for (const name of references) {
      const column = columns.get(name);
      if (column === undefined || open.has(name) || ordered.has(name)) continue;
      open.add(name);
      visit(column);
      ordered.add(name);
    }
  };
  visit(plan);
  return [...ordered];
}
