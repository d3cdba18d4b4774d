import { renderText, type Names } from '@understudy/expression';
import { deriveKey, RandomStream } from '@understudy/random';
import { BUDGETS } from '../../definition/budgets.js';
import { ANY_KEY, type ExpressionNode, compileEither } from '../../compile/bound-expression.js';
import type { CompileContext } from '../../compile/compile-context.js';
import { DistinctValues } from '../../values/distinct-values.js';
import { GenerationError } from '../../definition/errors.js';
import { joinPath, describe, isObject, own } from '../../definition/json-value.js';
import { distinctInOrder, drawDistinct } from '../../compile/distinct-cells.js';
import { constantNode, drawNode, type CompileNode, type Node } from '../../values/node.js';
import type { Cell, Row } from '../../values/row.js';
import { ValueMeter } from '../../values/value-meter.js';
import type { NumberedValues } from '../../values/variety.js';

const RANGE = /^\s*(\d{1,9})\s*-\s*(\d{1,9})\s*$/;

/** Compiles `{ repeat: { count, of, unique? } }`: an array of `count` values, each with its own stream. */
export function compileRepeat(
  repeat: unknown,
  path: string,
  names: Names,
  context: CompileContext,
  compileItem: CompileNode,
): Node | undefined {
  if (!isObject(repeat)) return context.fail(path, `must be an object, got ${describe(repeat)}`);
  for (const key of Object.keys(repeat)) {
    if (!['count', 'of', 'unique'].includes(key))
      context.fail(joinPath(path, key), 'is not a key of repeat (count, of, unique)');
  }
  const unique = own(repeat, 'unique') ?? false;
  if (typeof unique !== 'boolean') {
    return context.fail(joinPath(path, 'unique'), `must be true or false, got ${describe(unique)}`);
  }
  const of = own(repeat, 'of');
  const isTransformed = isObject(of) && own(of, 'transform') !== undefined;
  const count = compileCount(own(repeat, 'count'), joinPath(path, 'count'), names, context);
  const item = compileItem(of, joinPath(path, 'of'), names, context);
  if (count === undefined || item === undefined) return undefined;
  if (unique) {
    context.comparesItems = true;
    context.inspect(item.reads);
  }
  const most = unique ? (item.variety?.()?.most ?? Infinity) : Infinity;
  if (count.least > most) {
    const message = `unique cannot give ${count.least} different values: the generator has at most ${most}`;
    return context.fail(path, message);
  }
  const numbered = unique ? (item.traits?.numbered ?? item.traits?.transformed) : undefined;
  return {
    reads: new Set([...count.reads, ...item.reads]),
    bind(key) {
      const countCell = count.bind(deriveKey(key, 'count'));
      const itemCell = item.bind(deriveKey(key, 'of'));
      const itemsKey = deriveKey(key, 'items');
      const random = new RandomStream();
      return (row) => {
        const total = wholeCount(countCell(row), joinPath(path, 'count'));
        random.seekWords(itemsKey, row.hi, row.lo, row.attempt);
        if (numbered !== undefined) return sampleItems(numbered, random, row, { total, path, isTransformed });
        return makeItems(itemCell, row, {
          total,
          hi: random.uint32() | 0,
          lo: random.uint32() | 0,
          unique,
          isTransformed,
          path,
        });
      };
    },
  };
}

interface Items {
  readonly total: number;
  /**
   * Two random 32-bit words from which the stream of the first item is derived. Because they are random, the
   * items of different rows have different streams.
   */
  readonly hi: number;
  readonly lo: number;
  readonly unique: boolean;
  readonly isTransformed: boolean;
  readonly path: string;
}

function makeItems(cell: Cell, row: Row, items: Items): unknown[] {
  const { hi, lo, attempt, index } = row;
  const distinct = { ...items, seen: new DistinctValues() };
  const values: unknown[] = [];
  try {
    row.hi = items.hi;
    row.attempt = 0;
    for (let i = 0; i < items.total; i += 1) {
      row.meter.addItem(items.path);
      row.lo = (items.lo + i) | 0;
      row.index = i;
      values.push(items.unique ? drawDistinct(cell, row, distinct) : cell(row));
    }
  } finally {
    row.hi = hi;
    row.lo = lo;
    row.attempt = attempt;
    row.index = index;
  }
  return values;
}

/** The tries of each item. */
const COMPLETE_UP_TO = 1000;

/** Draws different values, each selection in each order with the same probability (Fisher and Yates). */
function sampleItems(
  values: NumberedValues,
  random: RandomStream,
  { meter }: Row,
  { total, path, isTransformed }: Pick<Items, 'total' | 'path' | 'isTransformed'>,
): unknown[] {
  const { count } = values;
  if (total > count && !isTransformed) {
    throw new GenerationError(path, `unique cannot give ${total} different values: there are only ${count}`);
  }
  const moved = new Map<number, number>();
  const of = (i: number): number => {
    const drawn = i + random.below(count - i);
    const number = moved.get(drawn) ?? drawn;
    moved.set(drawn, moved.get(i) ?? i);
    return number;
  };
  const distinct = { seen: new DistinctValues(), path, isTransformed };
  const next = distinctInOrder(values, { of, completeUpTo: COMPLETE_UP_TO }, distinct);
  return Array.from({ length: total }, () => {
    meter.addItem(path);
    return next();
  });
}

interface Count extends Node {
  /** The smallest possible count. */
  readonly least: number;
}

function compileCount(
  count: unknown,
  path: string,
  names: Names,
  context: CompileContext,
): Count | undefined {
  if (typeof count === 'number') {
    if (!Number.isInteger(count) || count < 0)
      return context.fail(path, `must be a whole number from 0, got ${count}`);
    if (count > BUDGETS.leafValuesPerRecord) {
      return context.failLimit(path, `a record may have at most ${BUDGETS.leafValuesPerRecord} values`);
    }
    return { ...constantNode(count), least: count };
  }
  if (typeof count !== 'string') {
    return context.fail(
      path,
      `must be a number, a range like "1-5" or an expression, got ${describe(count)}`,
    );
  }
  const range = RANGE.exec(count);
  if (range === null) {
    const node = compileEither(count, path, names, context);
    if (node === undefined) return undefined;
    context.inspect(node.reads);
    if (node.drawsRandom || !context.areConstant(node.reads)) return { ...node, least: 0 };
    const total = context.attempt(path, () => wholeCount(valueNow(node, context.constants), path));
    return total === undefined ? undefined : compileCount(total, path, names, context);
  }
  const [from, to] = [Number(range[1]), Number(range[2])];
  if (from > to) return context.fail(path, `the range starts at ${from}, which is after its end ${to}`);
  return { ...drawNode((random) => from + random.below(to - from + 1)), least: from };
}

function valueNow(node: ExpressionNode, constants: readonly unknown[]): unknown {
  const slots = [...constants];
  return node.bind(ANY_KEY)({ hi: 0, lo: 0, attempt: 0, index: 0, slots, meter: new ValueMeter() });
}

function wholeCount(value: unknown, path: string): number {
  if (typeof value === 'number' && value >= 0) return Math.floor(value);
  throw new GenerationError(
    path,
    typeof value === 'number'
      ? `must not be negative, got ${renderText(value)}`
      : `must be a number, got ${describe(value)}`,
  );
}
