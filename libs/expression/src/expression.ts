import { Compilation, type Closure, type Names } from './compile.js';
import { ExpressionError } from './errors.js';
import { LIMITS } from './limits.js';
import { parse } from './parse.js';
import { utf8Length } from './render-text.js';
import { tokenize } from './tokenize.js';

export interface Expression {
  /** The names it reads, each once, in order of appearance. */
  readonly references: readonly string[];
  /** Places in the source of the calls that draw random words; the index is the site passed to `Draws.stream`. */
  readonly sites: readonly number[];
  /** Pure but for its draws. @throws EvaluationError */
  readonly evaluate: Closure;
}

/** Compiles a whole source as one expression. @throws ExpressionError */
export function compileExpression(source: string, names: Names): Expression {
  if (utf8Length(source) > LIMITS.sourceBytes) throw sourceTooLong(0);
  const compilation = new Compilation(names);
  const evaluate = compilation.compile(parse(tokenize(source, 0, false).tokens));
  return { evaluate, references: [...compilation.references], sites: compilation.sites };
}

export function sourceTooLong(position: number): ExpressionError {
  return new ExpressionError(`an expression is at most ${LIMITS.sourceBytes} bytes long`, position, true);
}
