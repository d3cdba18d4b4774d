import type { Names } from '@understudy/expression';
import { deriveKey, KeyedPermutation, RandomStream } from '@understudy/random';
import type { CompileContext } from './compile-context.js';
import { ANY_KEY, compileEither } from './bound-expression.js';
import { DistinctValues } from '../values/distinct-values.js';
import { ValueMeter } from '../values/value-meter.js';
import { distinctInOrder, drawDistinct } from './distinct-cells.js';
import { GenerationError } from '../definition/errors.js';
import { joinPath, describe, own, type JsonObject } from '../definition/json-value.js';
import type { Node } from '../values/node.js';
import type { Row } from '../values/row.js';
import type { NumberedValues } from '../values/variety.js';

export const MODIFIER_KEYS: readonly string[] = ['unique', 'nullable', 'transform'];
const DEFAULT_NULL_RATE = 0.1;
/** The tries of all rows together. */
const COMPLETE_UP_TO = 100_000;

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
  const { variety, traits } = node;
  const transformed =
    readsOnlyValue && traits?.numbered !== undefined
      ? transformedValues(traits.numbered, transform, valueSlot)
      : undefined;
  return {
    // A transform that reads only the value cannot increase the number of different values.
    ...(readsOnlyValue && variety !== undefined
      ? { variety: () => (hasNull(transformed) ? undefined : variety()) }
      : {}),
    ...(transformed === undefined ? {} : { traits: { transformed } }),
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

/** @param transform reads only the slot of the value, and draws nothing */
function transformedValues(
  { count, at }: NumberedValues,
  transform: Node,
  valueSlot: number,
): NumberedValues {
  const apply = transform.bind(ANY_KEY);
  const row: Row = { hi: 0, lo: 0, attempt: 0, index: 0, slots: [], meter: new ValueMeter() };
  return {
    count,
    at(number) {
      row.slots[valueSlot] = at(number);
      return apply(row);
    },
  };
}

/** The values that are searched for nulls. */
const SEARCHED = 1000;

/** Returns whether a transform gives null for a value. Then the number of values is no limit, because nulls may repeat. */
function hasNull(values: NumberedValues | undefined): boolean {
  if (values === undefined || values.count > SEARCHED) return false;
  try {
    for (let number = 0; number < values.count; number += 1) if (values.at(number) === null) return true;
  } catch (error) {
    // The run reports the error at its row.
    if (!(error instanceof GenerationError)) throw error;
  }
  return false;
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
  const isTransformed = own(definition, 'transform') !== undefined;
  const numbered = node.traits?.numbered ?? node.traits?.transformed;
  const variety =
    numbered === undefined
      ? node.variety
      : () => node.variety?.() && { most: numbered.count, easy: numbered.count };
  const nullRate = nullRateOf(own(definition, 'nullable'));
  if (variety !== undefined) context.uniques.push({ path, nullRate, variety });
  return {
    ...(variety === undefined ? {} : { variety }),
    ...(node.traits && { traits: node.traits }),
    reads: node.reads,
    bind(key) {
      const distinct = { seen: new DistinctValues(), path, isTransformed };
      if (numbered !== undefined) {
        const permutation = new KeyedPermutation(deriveKey(key, 'order'), numbered.count);
        const order = { of: (number: number) => permutation.of(number), completeUpTo: COMPLETE_UP_TO };
        return distinctInOrder(numbered, order, distinct);
      }
      const cell = node.bind(key);
      return (row) => drawDistinct(cell, row, distinct);
    },
  };
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
