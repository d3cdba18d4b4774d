import { Compilation, evaluation, type Closure, type Names } from './compile.js';
import { LIMITS, sourceTooLong } from '../limits.js';
import { readExpression } from '../parse/read-expression.js';
import { utf8Length } from '../values/render-text.js';

export interface Expression {
  /** The names it reads, each once, in order of appearance. */
  readonly references: readonly string[];
  /** Places in the source of the calls that draw random words; the index is the site passed to `Draws.stream`. */
  readonly sites: readonly number[];
  /**
   * Pure but for its draws. Slots hold plain data: null, booleans, numbers, bigints, texts, arrays and objects of
   * these; getters are not run, prototypes not asked. What it returns is a slot's value, a part of one, or made of them.
   * @throws EvaluationError also when it would cost more than `LIMITS` allow
   */
  readonly evaluate: Closure;
}

/**
 * Compiles a whole source as one expression. Nothing of it is evaluated as JavaScript: names, functions and arity are
 * resolved here, against `names` and a closed table.
 *
 * ```
 * expression = expression operator expression | ("-" | "!") expression
 *            | expression "?" expression ":" expression | value { "." name | "[" expression "]" }
 * operator   = "||" | "&&" | "==" "!=" "===" "!==" | "<" "<=" ">" ">=" | "+" "-" | "*" "/" "%"
 * value      = number | string | "true" | "false" | "null" | name | "(" expression ")"
 *            | function "(" [ list ] ")" | "[" [ list ] "]"
 * list       = expression { "," expression }
 * number     = ( digits [ "." [ digits ] ] | "." digits ) [ ("e" | "E") [ "+" | "-" ] digits ]
 * string     = "'" … "'" | '"' … '"'
 * name       = identifier | "`" … "`"
 * identifier = ( letter | "_" | "$" ) { letter | mark | digit | "_" | "$" }
 * ```
 * - Operators are listed weakest first, and bind from the left.
 * - In a string \n \t \r are control characters; a backslash before any other character is left out.
 * - Letters are those of every script (Unicode's ID_Start and ID_Continue). In back-quotes any name can be written, with
 *   \` and \\ for ` and \: `` `first-name` ``, `` `2nd` ``, `` `true` ``. It is never a function.
 * - Members are an object's own and an array's elements, null where there is none.
 * - `+` adds two numbers or joins two texts; nothing is coerced but by a function (`concat` joins any values). Every other
 *   arithmetic operator takes numbers alone, a comparison two of a kind.
 * - A function without arguments may be written bare unless a name shadows it.
 * @throws ExpressionError with the position; `overLimit` past the limits on source, nodes and depth
 */
export function compileExpression(source: string, names: Names): Expression {
  if (utf8Length(source) > LIMITS.sourceBytes) throw sourceTooLong(0);
  const compilation = new Compilation(source, names);
  const evaluate = evaluation(compilation.compile(readExpression(source, 0, false, names.keys()).node));
  return { evaluate, references: [...compilation.references], sites: compilation.sites };
}
