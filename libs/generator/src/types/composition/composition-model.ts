import { BUDGETS } from '../../definition/budgets.js';
import { GenerationError, ParameterFault } from '../../definition/errors.js';
import type { Node } from '../../values/node.js';
import type { Parameters } from '../../registry/parameters.js';
import type { Row } from '../../values/row.js';
import type { Generation } from '../list/list-model.js';
import { textFilters, type TextFilter } from '../model/text-filters.js';

/**
 * Checks the use of a model id that refers to a composition.
 * @returns the constraints that the values must meet
 * @throws ParameterFault for a mode or constraint that a composition does not support
 */
export function readCompositionFilters(
  { mode, params, path }: Generation,
  constraints: Parameters,
): TextFilter[] {
  if (mode !== 'word') throw new ParameterFault(path, `a composition serves only mode word, not ${mode}`);
  if (constraints.boolean('exclude_originals')) {
    const why = 'is not possible: this id refers to a composition, which has no training items';
    throw constraints.fault('exclude_originals', why);
  }
  refuseImpossible(constraints, params.has('starts_with') ? params : constraints);
  return textFilters(constraints, params);
}

function refuseImpossible(constraints: Parameters, start: Parameters): void {
  if (!constraints.has('max_length')) return;
  const longest = constraints.integer('max_length');
  if (constraints.has('min_length') && constraints.integer('min_length') > longest) {
    const why = `min_length ${constraints.integer('min_length')} is greater than max_length ${longest}`;
    throw constraints.fault('min_length', why);
  }
  for (const [given, name] of [
    [start, 'starts_with'],
    [constraints, 'ends_with'],
    [constraints, 'contains'],
  ] as const) {
    if (given.has(name) && [...given.string(name).normalize('NFC')].length > longest)
      throw given.fault(name, `is longer than max_length ${longest}`);
  }
}

/**
 * Generates values until one meets all filters or is null. The first attempt generates the same value as
 * `node` without filters.
 * @param path the path of the constraints, for the error after the last attempt
 */
export function withTextFilters(node: Node, filters: readonly TextFilter[], path: string): Node {
  const [only] = filters;
  if (only === undefined) return node;
  const at = filters.length === 1 ? only.path : path;
  return {
    reads: node.reads,
    bind(key) {
      const cell = node.bind(key);
      return (row) => generateKept(cell, row, filters, at);
    },
  };
}

function generateKept(
  cell: (row: Row) => unknown,
  row: Row,
  filters: readonly TextFilter[],
  path: string,
): unknown {
  const outer = row.attempt;
  try {
    for (let retry = 0; retry <= BUDGETS.constraintRetries; retry += 1) {
      row.attempt = (Math.imul(outer, BUDGETS.constraintRetries + 1) + retry) | 0;
      const value = cell(row);
      if (value === null) return null;
      const text = String(value).normalize('NFC');
      if (filters.every(({ keeps }) => keeps(text))) return value;
    }
  } finally {
    row.attempt = outer;
  }
  const reason =
    `no value of the composition met the constraints in ${BUDGETS.constraintRetries} attempts; ` +
    'loosen the constraints';
  throw new GenerationError(path, reason);
}
