import { EvaluationError, type Names } from '@understudy/expression';
import { deriveKey, KeyedPermutation, RandomStream, type Key } from '@understudy/random';
import { BUDGETS } from '../definition/budgets.js';
import type { CompileContext } from './compile-context.js';
import { compileEither } from './bound-expression.js';
import { DistinctValues } from '../values/distinct-values.js';
import { GenerationError } from '../definition/errors.js';
import { joinPath, describe, own, type JsonObject } from '../definition/json-value.js';
import type { Node } from '../values/node.js';
import type { Cell, Row } from '../values/row.js';
import type { NumberedValues } from '../values/variety.js';

export const MODIFIER_KEYS: readonly string[] = ['unique', 'nullable', 'transform'];
const DEFAULT_NULL_RATE = 0.1;

/** Wraps a node in the modifiers of its definition. They apply in this order: transform, unique, nullable. */
export function withModifiers(
  node: Node,
  definition: JsonObject,
  path: string,
  names: Names,
  context: CompileContext,
): Node {
  let modified = withTransform(
    node,
    own(definition, 'transform'),
    joinPath(path, 'transform'),
    names,
    context,
  );
  modified = withUnique(modified, definition, path, context);
  return withNullable(modified, own(definition, 'nullable'), path, context);
}

function withTransform(
  node: Node,
  source: unknown,
  path: string,
  names: Names,
  context: CompileContext,
): Node {
  if (source === undefined) return node;
  if (typeof source !== 'string') {
    context.fail(path, `must be an expression, got ${describe(source)}`);
    return node;
  }
  const valueSlot = context.newSlot();
  const inner = new Map(names).set('value', valueSlot);
  const transform = compileEither(source, path, inner, context);
  if (transform === undefined) return node;
  const readsOnlyValue = !transform.drawsRandom && [...transform.reads].every((slot) => slot === valueSlot);
  return {
    // A transform that reads only the value cannot increase the number of different values. This variety
    // still counts values that the transform turns into null.
    ...(readsOnlyValue && node.variety !== undefined ? { variety: node.variety } : {}),
    reads: without(new Set([...node.reads, ...transform.reads]), valueSlot),
    bind(key) {
      const value = node.bind(key);
      const apply = transform.bind(deriveKey(key, 'transform'));
      return (row) => {
        row.slots[valueSlot] = value(row);
        return apply(row);
      };
    },
  };
}

function withUnique(node: Node, definition: JsonObject, path: string, context: CompileContext): Node {
  const unique = own(definition, 'unique');
  if (unique === undefined || unique === false) return node;
  if (unique !== true) {
    context.fail(joinPath(path, 'unique'), `must be true or false, got ${describe(unique)}`);
    return node;
  }
  if (context.mode === 'cell') {
    context.fail(
      joinPath(path, 'unique'),
      'is not allowed inside of a definition; set it on the column rule',
    );
    return node;
  }
  // Two rows have the same uuid or similar value with a probability of at most 2^-90. So `unique` need not
  // remember these values, and records stay independent of each other.
  if (node.traits?.collisionFree !== undefined && node.reads.size === 0) return node;
  context.ordered = true;
  const numbered = node.traits?.numbered;
  const variety =
    numbered === undefined ? node.variety : () => ({ most: numbered.count, easy: numbered.count });
  const nullRate = nullRateOf(own(definition, 'nullable'));
  if (variety !== undefined) context.uniques.push({ path, nullRate, variety });
  return {
    ...(variety === undefined ? {} : { variety }),
    ...(node.traits && { traits: node.traits }),
    reads: node.reads,
    bind(key) {
      if (numbered !== undefined) return inRandomOrder(numbered, deriveKey(key, 'order'), path);
      const cell = node.bind(key);
      const seen = new DistinctValues();
      return (row) => drawDistinct(cell, row, seen, path);
    },
  };
}

/** Returns a cell that produces each value once, in an order that depends on the key. Needs no memory per value. */
function inRandomOrder({ count, at }: NumberedValues, key: Key, path: string): Cell {
  const order = new KeyedPermutation(key, count);
  let next = 0;
  return () => {
    if (next === count) {
      throw new GenerationError(
        path,
        `unique has used all ${count} values; request fewer, or widen the range`,
      );
    }
    const value = at(order.of(next));
    next += 1;
    return value;
  };
}

/**
 * Draws values until one is not in `seen`, and adds that value to `seen`. Null is never a repetition.
 * @throws GenerationError after the last retry, or if `seen` is full
 */
export function drawDistinct(
  cell: (row: Row) => unknown,
  row: Row,
  seen: DistinctValues,
  path: string,
): unknown {
  if (seen.size >= BUDGETS.uniqueValues) {
    throw new GenerationError(
      path,
      `unique remembers at most ${BUDGETS.uniqueValues} different values; use a uuid or a sequence, ` +
        'which need no memory',
      'limit_exceeded',
    );
  }
  const outer = row.attempt;
  let repeated: DistinctValues | undefined;
  try {
    for (let retry = 0; retry <= BUDGETS.uniqueRetries; retry += 1) {
      row.attempt = (Math.imul(outer, BUDGETS.uniqueRetries + 1) + retry) | 0;
      const value = cell(row);
      if (value === null || seen.add(value)) return value;
      (repeated ??= new DistinctValues()).add(value);
    }
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new GenerationError(path, `unique cannot compare a value: ${error.message}`, 'limit_exceeded');
  } finally {
    row.attempt = outer;
  }
  throw new GenerationError(
    path,
    `unique found no new value in ${BUDGETS.uniqueRetries} attempts after ${seen.size} different values: ` +
      `the attempts gave ${repeated?.size === 1 ? 'the same value each time' : `${repeated?.size} different ones`}; ` +
      'let the generator produce more values, or request fewer',
  );
}

function withNullable(node: Node, nullable: unknown, path: string, context: CompileContext): Node {
  const rate = nullRateOf(nullable);
  if (Number.isNaN(rate)) {
    context.fail(
      joinPath(path, 'nullable'),
      `must be true, false or a number from 0 to 1, got ${describe(nullable)}`,
    );
    return node;
  }
  if (rate === 0) return node;
  // A column rule draws again if the new value equals the old one. Such a retry must not decide again whether
  // the value is null.
  const once = context.mode === 'cell' && path === context.rootPath;
  return {
    // For a column, nullable keeps variety and traits, because NULLs do not count as values. Elsewhere a null
    // is one more value.
    ...(once && node.variety && { variety: node.variety }),
    ...(once && node.traits && { traits: node.traits }),
    reads: node.reads,
    bind(key) {
      const cell = node.bind(key);
      const nullKey = deriveKey(key, 'null');
      const random = new RandomStream();
      return (row) =>
        random.seekWords(nullKey, row.hi, row.lo, once ? 0 : row.attempt).float53() < rate ? null : cell(row);
    },
  };
}

/** Returns NaN for an invalid rate. */
function nullRateOf(nullable: unknown): number {
  if (nullable === true) return DEFAULT_NULL_RATE;
  if (nullable === undefined || nullable === false) return 0;
  return typeof nullable === 'number' && nullable >= 0 && nullable <= 1 ? nullable : NaN;
}

function without(slots: Set<number>, slot: number): Set<number> {
  slots.delete(slot);
  return slots;
}
