import {
  EvaluationError,
  type ExpressionError,
  type Closure,
  type Draws,
  type Names,
  type TextWriter,
  compileExpression,
  compileTemplate,
} from '@understudy/expression';
import { deriveKey, keyFromBytes, RandomStream, type Key } from '@understudy/random';
import { GenerationError } from '../definition/errors.js';
import type { Node } from '../values/node.js';
import type { Cell, Row, TextCell } from '../values/row.js';
import type { CompileContext } from './compile-context.js';

/** The parts of a compiled expression or template that a node needs. */
export interface Source {
  readonly references: readonly string[];
  readonly inspected: readonly string[];
  readonly sites: readonly number[];
  readonly mistakes: readonly ExpressionError[];
}

interface Scope {
  readonly names: Names;
  readonly path: string;
  readonly context: CompileContext;
}

export interface ExpressionNode extends Node {
  /** True if the expression calls uuid() or pick(). */
  readonly drawsRandom: boolean;
}

/**
 * Creates a node that calls `evaluate` with the slots of the current row. Errors of `evaluate` are reported
 * at `path`. Adds the slots that the expression inspects to the context.
 * @param write writes the value as text; only for expressions that always return a text
 */
export function expressionNode(
  source: Source,
  evaluate: Closure,
  { names, path, context }: Scope,
  write?: TextWriter,
): ExpressionNode {
  context.inspect(slotsOf(source.inspected, names));
  context.reportMistakes(path, source.mistakes);
  return {
    drawsRandom: source.sites.length > 0,
    reads: slotsOf(source.references, names),
    bind: (key) => bindExpression(source, evaluate, path, key),
    ...(write && { bindText: (key) => bindWriter(source, write, key) }),
  };
}

function bindWriter(source: Source, write: TextWriter, key: Key): TextCell {
  const draws = siteDraws(source, key);
  return (row, texts, out) => {
    draws.row = row;
    return write(texts, draws, out);
  };
}

export function slotsOf(used: readonly string[], names: Names): ReadonlySet<number> {
  const slots = new Set<number>();
  for (const name of used) {
    const slot = names.get(name);
    if (slot !== undefined) slots.add(slot);
  }
  return slots;
}

/** Gives each uuid() and pick() call its own key, derived from the call's position in the source. */
export function bindExpression(source: Source, evaluate: Closure, path: string, key: Key): Cell {
  const draws = siteDraws(source, key);
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

function siteDraws({ sites }: Source, key: Key): SiteDraws {
  return new SiteDraws(sites.map((position) => deriveKey(key, `call ${position}`)));
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

/**
 * A key for expressions that contain no uuid() and no pick() call. Their result does not depend on the key.
 */
export const ANY_KEY = keyFromBytes(new Uint8Array(16));

/** Compiles an expression, with or without surrounding braces. */
export function compileEither(
  source: string,
  path: string,
  names: Names,
  context: CompileContext,
): ExpressionNode | undefined {
  return context.attempt(path, () => {
    if (source.trimStart().startsWith('{{')) {
      const template = compileTemplate(source.trim(), names);
      return expressionNode(template, template.evaluate, { names, path, context });
    }
    const expression = compileExpression(source, names);
    return expressionNode(expression, expression.evaluate, { names, path, context });
  });
}
