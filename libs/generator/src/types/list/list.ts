import { truthy } from '@understudy/expression';
import { deriveKey, RandomStream } from '@understudy/random';
import { GenerationError, ParameterFault } from '../../definition/errors.js';
import { identityOf, joinPath, describe, own, type JsonObject } from '../../definition/json-value.js';
import { ANY_KEY, type ExpressionNode, compileEither } from '../../compile/bound-expression.js';
import type { Node } from '../../values/node.js';
import { bindArguments, compileArguments, toObject, type Arguments } from '../../registry/arguments.js';
import type { GeneratorSite, GeneratorType } from '../../registry/generator-type.js';
import { checkNames, type ParamsManifest } from '../../registry/params-manifest.js';
import type { Cell, Row } from '../../values/row.js';
import { ValueMeter } from '../../values/value-meter.js';
import {
  assetCandidates,
  INLINE,
  inlineCandidates,
  type BoundCandidates,
  type Candidates,
} from './list-candidates.js';
import { selectFrom, type ListSelection } from './list-selection.js';

const SOURCE: ParamsManifest = {
  source: {
    type: 'any',
    default: INLINE,
    description:
      'The name of a list asset, as a string or as `{ asset: <name> }`. The default, `inline`, ' +
      'picks from `values`.',
  },
  key: {
    type: 'string',
    description: 'The name of the array to pick from. Required if the asset is a map of arrays.',
  },
};
const PARAMS: ParamsManifest = {
  values: {
    type: 'array',
    description:
      'The elements to pick from. An element is a scalar, `{ value, weight }` or another object. ' +
      '`weight` defaults to 1; an element of weight 0 is never picked. Other objects are returned ' +
      'unchanged. Texts may be templates.',
  },
  ...SOURCE,
  where: {
    type: 'string',
    description:
      'An expression over `item` and the names in scope. Only elements for which it is true can be ' +
      'picked.',
  },
};

export const listType: GeneratorType = {
  name: '@svc/core:list',
  version: '0.1.0',
  description: 'Picks an element of a finite set, exactly in proportion to the weights.',
  params: PARAMS,
  output: 'any',
  examples: [
    { type: 'list', values: ['red', 'green', { value: 'blue', weight: 4 }] },
    { type: 'list', values: [1, 2, 3, 4], where: 'item > pick(0, 1, 2)' },
    {
      type: 'list',
      values: [
        { code: 'nl', name: 'Netherlands' },
        { code: 'fr', name: 'France' },
      ],
    },
  ],
  compile: compileList,
};

/**
 * The maximum size of the cache: the sum of `held` of its entries. An element takes at most about 100 bytes.
 */
const CACHED_CANDIDATES = 1_000_000;
/**
 * The fixed part of `held`: a cached selection takes as much memory as this many elements, plus its elements.
 */
const SELECTION_COST = 16;

function compileList(site: GeneratorSite): Node | undefined {
  const { params, constraints, paths, names, context } = site;
  const before = context.problems.length;
  context.attempt(paths.params, () => checkNames(params, PARAMS, paths.params));
  context.attempt(paths.constraints, () => checkNames(constraints, {}, paths.constraints));
  const given = Object.fromEntries(Object.entries(params).filter(([name]) => Object.hasOwn(SOURCE, name)));
  const args = compileArguments(given, SOURCE, paths.params, names, context);
  const where = compileWhere(own(params, 'where'), site);
  if (args === undefined || context.problems.length > before) return undefined;
  if (args.constant === undefined) {
    const find: FindCandidates = (values) =>
      assetCandidates(values, paths.params, context.environment.assets);
    return changingList(args, find, where);
  }
  const constants = args.constant;
  const candidates = context.attempt(paths.params, () => findConstant(constants, site));
  if (candidates === undefined || context.problems.length > before) return undefined;
  if (where !== undefined && !where.isConstant) return changingList(args, () => candidates, where);
  const selection = context.attempt(where?.path ?? paths.params, () =>
    selectOnce(candidates, where, context.constants),
  );
  return selection && fixedList(candidates, selection);
}

/** @throws ParameterFault */
function findConstant(args: JsonObject, { params, paths, names, context }: GeneratorSite): Candidates {
  if ((own(args, 'source') ?? INLINE) !== INLINE) {
    return assetCandidates(args, paths.params, context.environment.assets);
  }
  if ((own(args, 'key') ?? null) !== null) {
    throw new ParameterFault(joinPath(paths.params, 'key'), 'needs a source that is a map of arrays');
  }
  return inlineCandidates(params, paths.params, names, context);
}

type FindCandidates = (args: JsonObject) => Candidates;

interface Where {
  readonly node: ExpressionNode;
  readonly path: string;
  readonly itemSlot: number;
  readonly reads: ReadonlySet<number>;
  /** True if the condition selects the same candidates in every row. The list is then filtered only once. */
  readonly isConstant: boolean;
}

function compileWhere(where: unknown, { paths, names, context }: GeneratorSite): Where | undefined {
  if (where === undefined || where === null) return undefined;
  const path = joinPath(paths.params, 'where');
  if (typeof where !== 'string') return context.fail(path, `must be an expression, got ${describe(where)}`);
  const itemSlot = context.newSlot();
  const node = compileEither(where, path, new Map(names).set('item', itemSlot), context);
  if (node === undefined) return undefined;
  const reads = new Set([...node.reads].filter((slot) => slot !== itemSlot && !context.areConstant([slot])));
  context.inspect(reads);
  return { node, path, itemSlot, reads, isConstant: reads.size === 0 && !node.drawsRandom };
}

/** Returns the node of a list whose candidates and selection are known during compilation. */
export function fixedList(candidates: Candidates, selection: ListSelection): Node {
  return {
    reads: candidates.reads,
    variety: selection.variety,
    bind(key) {
      const valueKey = deriveKey(key, 'value');
      const random = new RandomStream();
      const values = candidates.bind(key);
      return (row) => values(selection.pick(random.seekWords(valueKey, row.hi, row.lo, row.attempt)), row);
    },
  };
}

/** @throws ParameterFault */
function selectOnce(
  candidates: Candidates,
  where: Where | undefined,
  constants: readonly unknown[],
): ListSelection {
  if (where === undefined) return selectFrom(candidates, () => true);
  const matches = where.node.bind(ANY_KEY);
  const row: Row = { hi: 0, lo: 0, attempt: 0, index: 0, slots: [...constants], meter: new ValueMeter() };
  try {
    return selectFrom(candidates, matcher(where, matches, row));
  } catch (error) {
    if (error instanceof GenerationError) {
      throw new ParameterFault(error.path, error.reason, error.code === 'limit_exceeded');
    }
    throw error;
  }
}

/** Returns the node of a list whose candidates or `where` results can change from row to row. */
function changingList(args: Arguments, source: Candidates | FindCandidates, where: Where | undefined): Node {
  const fixed = typeof source === 'function' ? undefined : source;
  const inputs = [...(where?.reads ?? [])];
  return {
    reads: new Set([...args.reads, ...inputs, ...(fixed?.reads ?? [])]),
    bind(key) {
      const argumentCells = bindArguments(args, deriveKey(key, 'params'));
      const matches = where?.node.bind(deriveKey(key, 'where'));
      const valueKey = deriveKey(key, 'value');
      const random = new RandomStream();
      const fixedValues = fixed?.bind(key);
      const find = (values: readonly unknown[], row: Row): Found => {
        const candidates =
          typeof source === 'function'
            ? source(toObject(args.members.map(({ name }, i) => [name, values[i]] as const)))
            : source;
        if (where !== undefined) row.meter.addCandidates(candidates.elements.length, where.path);
        const isMatch = where && matches ? matcher(where, matches, row) : () => true;
        const selection = selectFrom(candidates, isMatch);
        return {
          selection,
          values: fixedValues ?? candidates.bind(key),
          held: SELECTION_COST + (fixed === undefined ? candidates.elements.length : selection.size),
        };
      };
      const cache = new SelectionCache();
      return (row) => {
        const values = argumentCells.map((cell) => cell(row));
        // The same inputs select the same candidates, unless the condition draws.
        const identity = where?.node.drawsRandom
          ? undefined
          : identityOf([...values, ...inputs.map((slot) => row.slots[slot])]);
        let found = cache.get(identity);
        if (found === undefined) {
          found = asGenerationError(() => find(values, row));
          if (identity !== undefined) cache.set(identity, found);
        }
        return found.values(
          found.selection.pick(random.seekWords(valueKey, row.hi, row.lo, row.attempt)),
          row,
        );
      };
    },
  };
}

interface Found {
  readonly selection: ListSelection;
  readonly values: BoundCandidates;
  /** The size of this cache entry, as a number of elements. It includes `SELECTION_COST`. */
  readonly held: number;
}

/** A cache of selections. Removes all entries if their total size would exceed `CACHED_CANDIDATES`. */
class SelectionCache {
  private readonly found = new Map<unknown, Found>();
  private kept = 0;

  get(identity: unknown): Found | undefined {
    return this.found.get(identity);
  }

  set(identity: unknown, found: Found): void {
    this.kept += found.held;
    if (this.kept > CACHED_CANDIDATES) {
      this.found.clear();
      this.kept = found.held;
    }
    this.found.set(identity, found);
  }
}

function matcher(where: Where, matches: Cell, row: Row): (item: unknown) => boolean {
  return (item) => {
    row.slots[where.itemSlot] = item;
    return truthy(matches(row));
  };
}

function asGenerationError<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof ParameterFault) throw new GenerationError(error.path, error.reason);
    throw error;
  }
}
