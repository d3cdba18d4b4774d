import { EvaluationError, type Closure, type Draws, type Names } from '@understudy/expression';
import { deriveKey, keyFromBytes, RandomStream, type Key } from '@understudy/random';
import { GenerationError } from './errors.js';
import type { Node } from './node.js';
import type { Cell, Row } from './row.js';

/** What of a compiled expression or template a node is made of. */
export interface Source {
  readonly references: readonly string[];
  readonly sites: readonly number[];
}

export interface ExpressionNode extends Node {
  /** True when it calls uuid() or pick(). */
  readonly drawsRandom: boolean;
}

/** A node whose value is `evaluate` over the row's slots; errors are reported at `path`. */
export function expressionNode(
  source: Source,
  evaluate: Closure,
  names: Names,
  path: string,
): ExpressionNode {
  return {
    drawsRandom: source.sites.length > 0,
    reads: slotsOf(source, names),
    bind: (key) => bindExpression(source, evaluate, path, key),
  };
}

/** The slots behind the names that an expression reads. */
export function slotsOf(source: Source, names: Names): ReadonlySet<number> {
  const slots = new Set<number>();
  for (const name of source.references) {
    const slot = names.get(name);
    if (slot !== undefined) slots.add(slot);
  }
  return slots;
}

/** Gives each drawing call its own key, derived from its place in the source. */
export function bindExpression(source: Source, evaluate: Closure, path: string, key: Key): Cell {
  const draws = new SiteDraws(source.sites.map((position) => deriveKey(key, `call ${position}`)));
  return (row) => {
    draws.row = row;
    try {
      return evaluate(row.slots, draws);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      throw new GenerationError(
        path,
        error.message,
        error.overLimit ? 'limit_exceeded' : 'generation_failed',
      );
    }
  };
}

class SiteDraws implements Draws {
  row: Row | undefined;
  private readonly random = new RandomStream();

  constructor(private readonly keys: readonly Key[]) {}

  stream(site: number): RandomStream {
    const key = this.keys[site];
    if (key === undefined || this.row === undefined) throw new Error(`no stream for call site ${site}`);
    return this.random.seekWords(key, this.row.hi, this.row.lo, this.row.attempt);
  }
}

/** For what draws nothing. */
export const ANY_KEY = keyFromBytes(new Uint8Array(16));
