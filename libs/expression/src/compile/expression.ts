import { Compilation, evaluation, type Closure, type Names } from './compile.js';
import type { ExpressionError } from '../errors.js';
import { inspectedNames } from './inspected-names.js';
import { LIMITS, sourceTooLong } from '../limits.js';
import { readExpression } from '../parse/read-expression.js';
import { utf8Length } from '../values/render-text.js';

export interface Expression {
  /** The names that the expression reads, without duplicates, in order of appearance. */
  readonly references: readonly string[];
  /** The names among them that the expression does more with than insert their values: see `inspectedNames`. */
  readonly inspected: readonly string[];
  /**
   * The source positions of the calls of random functions. `Draws.stream` receives an index into this array.
   */
  readonly sites: readonly number[];
  /**
   * Problems that do not prevent the evaluation: constant arguments that a function never accepts or partly
   * ignores, decimals with digits that a double loses, and unknown escapes. A new definition must be refused
   * for them.
   */
  readonly mistakes: readonly ExpressionError[];
  /**
   * Evaluates the expression. Its only side effect is that it reads from the random streams. Slots contain
   * plain data: null, booleans, numbers, bigints, texts, and arrays and objects of these. The evaluation
   * never runs getters or reads prototypes. The result is the value of a slot, a part of such a value, or a
   * new value made from them.
   * @throws EvaluationError if a value is not suitable, or if the evaluation would exceed `LIMITS`
   */
  readonly evaluate: Closure;
}

/**
 * Compiles a whole source as one expression. No part of it is evaluated as JavaScript. Compilation looks up
 * every name in `names` and every function in a fixed table, and checks the number of arguments.
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
 * - Operators are listed in order of precedence, weakest first. They are left-associative.
 * - In a string, \n \t \r are control characters. A backslash before any other character is dropped. Before
 *   another letter or a digit, this is a mistake.
 * - Letters of every script are allowed (Unicode's ID_Start and ID_Continue).
 * - Between back-quotes, a name may contain any characters: `` `first-name` ``, `` `2nd` ``, `` `true` ``. In
 *   such a name, write a back-quote as \` and a backslash as \\. A name in back-quotes is never a function.
 * - Members are an object's own properties and an array's elements. A missing member is null.
 * - `+` adds two numbers or joins two texts. All other arithmetic operators accept only numbers. Operators do
 *   not convert between numbers and text, but functions do: `concat` joins values of any type.
 * - The operators `<`, `<=`, `>` and `>=` need two numbers or two texts.
 * - A function without arguments may be written without parentheses unless a name hides it.
 * @throws ExpressionError with the position. Its `overLimit` is true if the source exceeds a limit on size,
 *   nodes or depth
 */
export function compileExpression(source: string, names: Names): Expression {
  if (utf8Length(source) > LIMITS.sourceBytes) throw sourceTooLong(0);
  const compilation = new Compilation(source, names);
  const { node } = readExpression(source, 0, false, names.keys());
  return {
    evaluate: evaluation(compilation.compile(node)),
    references: [...compilation.references],
    inspected: [...inspectedNames(node, names)],
    sites: compilation.sites,
    mistakes: compilation.mistakes,
  };
}
