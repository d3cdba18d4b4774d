import { truthy, type Names } from '@understudy/expression';
import { deriveKey, keyFromBytes, RandomStream, WeightedPick, type Key } from '@understudy/random';
import type { CompileContext } from '../compile-context.js';
import { GenerationError, ParameterFault } from '../errors.js';
import { joinPath } from '../json-path.js';
import { describe, own, type JsonObject } from '../json-value.js';
import { compileJsonTemplate, type JsonTemplate } from '../json-template.js';
import { compileEither } from '../modifiers.js';
import type { Node } from '../node.js';
import type { Row } from '../row.js';
import { ValueMeter } from '../value-meter.js';
import { readListElements, type ListElement } from './list-elements.js';
import { Parameters } from './svc/parameters.js';

/** `@svc/core:list`: one of the inline values, by weight; with `where` one of those that match on the row. */
export function compileList(
  values: JsonObject,
  path: string,
  names: Names,
  context: CompileContext,
): Node | undefined {
  const elements = context.attempt(path, () => readElements(new Parameters(values, path)));
  if (elements === undefined) return undefined;
  const valuesPath = joinPath(path, 'values');
  const before = context.problems.length;
  const nodes = elements.map(({ value }, i) =>
    compileJsonTemplate(value, joinPath(valuesPath, i), names, context),
  );
  const where = own(values, 'where');
  const filter =
    where === undefined ? undefined : compileWhere(where, joinPath(path, 'where'), names, context);
  if (context.problems.length > before) return undefined;

  if (filter === undefined || filter.isConstant) {
    const kept = filter === undefined ? [...elements.keys()] : matchingOnce(elements, filter, context);
    const pick = kept && context.attempt(valuesPath, () => weightedPick(elements, kept, valuesPath));
    if (kept === undefined || pick === undefined) return undefined;
    return listNode(
      kept.flatMap((i) => nodes[i] ?? []),
      new Set(),
      (key) => pickFrom(pick, key),
    );
  }
  return listNode(nodes, filter.reads, (key) => pickMatching(elements, filter, valuesPath, key));
}

/** Says which element the row gets. */
type Chooser = (row: Row) => number;

/** Picks an index, then makes the value of that element alone. */
function listNode(
  nodes: readonly JsonTemplate[],
  reads: ReadonlySet<number>,
  choose: (key: Key) => Chooser,
): Node {
  return {
    reads: new Set([...reads, ...nodes.flatMap((node) => [...node.reads])]),
    bind(key) {
      const chooser = choose(key);
      const cells = nodes.map((node, i) =>
        node.bind(node.constant === undefined ? deriveKey(key, `value ${i}`) : key),
      );
      return (row) => cells[chooser(row)]?.(row);
    },
  };
}

function pickFrom(pick: WeightedPick, key: Key): Chooser {
  const valueKey = deriveKey(key, 'value');
  const random = new RandomStream();
  return (row) => pick.pick(random.seekWords(valueKey, row.hi, row.lo, row.attempt));
}

interface Filter {
  readonly node: Node;
  readonly path: string;
  readonly itemSlot: number;
  readonly reads: ReadonlySet<number>;
  /** True when it looks at the element alone: then the list is filtered once. */
  readonly isConstant: boolean;
}

function compileWhere(
  where: unknown,
  path: string,
  names: Names,
  context: CompileContext,
): Filter | undefined {
  if (typeof where !== 'string') return context.fail(path, `must be an expression, got ${describe(where)}`);
  const itemSlot = context.newSlot();
  const node = compileEither(where, path, new Map(names).set('item', itemSlot), context);
  if (node === undefined) return undefined;
  const reads = new Set([...node.reads].filter((slot) => slot !== itemSlot));
  return { node, path, itemSlot, reads, isConstant: reads.size === 0 && !node.drawsRandom };
}

/** Indexes of the elements that a constant filter lets through. */
function matchingOnce(
  elements: readonly ListElement[],
  filter: Filter,
  context: CompileContext,
): number[] | undefined {
  const matches = filter.node.bind(keyFromBytes(new Uint8Array(16))); // it draws nothing: any key does
  const slots: unknown[] = [];
  const row: Row = { hi: 0, lo: 0, attempt: 0, index: 0, slots, meter: new ValueMeter() };
  return context.attempt(filter.path, () =>
    [...elements.keys()].filter((i) => {
      slots[filter.itemSlot] = elements[i]?.item;
      return truthy(matches(row));
    }),
  );
}

function pickMatching(elements: readonly ListElement[], filter: Filter, path: string, key: Key): Chooser {
  const matches = filter.node.bind(deriveKey(key, 'where'));
  const valueKey = deriveKey(key, 'value');
  const random = new RandomStream();
  return (row) => {
    const indexes = elements.flatMap(({ item }, i) => {
      row.slots[filter.itemSlot] = item;
      return truthy(matches(row)) ? [i] : [];
    });
    const weights = indexes.map((i) => elements[i]?.weight ?? 0);
    if (!weights.some((weight) => weight > 0)) {
      const reason =
        indexes.length === 0 ? 'no element matches where' : 'all matching elements have weight 0';
      throw new GenerationError(path, reason);
    }
    const chosen = new WeightedPick(weights).pick(random.seekWords(valueKey, row.hi, row.lo, row.attempt));
    return indexes[chosen] ?? 0;
  };
}

function readElements(parameters: Parameters): ListElement[] {
  parameters.only('source', 'values', 'key', 'where');
  const source = parameters.raw('source');
  if (source !== undefined && source !== 'inline') {
    throw parameters.fault('source', 'list assets are not supported yet; give the values inline in "values"');
  }
  if (parameters.raw('key') !== undefined) {
    throw parameters.fault('key', 'needs a source that is a map, and list assets are not supported yet');
  }
  const values = parameters.raw('values');
  if (!Array.isArray(values)) throw parameters.fault('values', `must be an array, got ${describe(values)}`);
  if (values.length === 0) throw parameters.fault('values', 'must not be empty');
  return readListElements(values, parameters.at('values'));
}

function weightedPick(elements: readonly ListElement[], kept: readonly number[], path: string): WeightedPick {
  const weights = kept.map((i) => elements[i]?.weight ?? 0);
  if (weights.length === 0) throw new ParameterFault(path, 'no element matches where');
  if (weights.every((weight) => weight === 0)) throw new ParameterFault(path, 'all weights are 0');
  try {
    return new WeightedPick(weights);
  } catch (error) {
    if (error instanceof RangeError) throw new ParameterFault(path, error.message);
    throw error;
  }
}
