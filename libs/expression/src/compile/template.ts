import { UUID_LENGTH } from '@understudy/random';
import { Compilation, evaluation, type Closure, type Draws, type Names } from './compile.js';
import { ExpressionError } from '../errors.js';
import { inspectedNames } from './inspected-names.js';
import { LIMITS, sourceTooLong, beginWork } from '../limits.js';
import { readExpression } from '../parse/read-expression.js';
import { renderText, tooLong, utf8Length, withinTextLimit } from '../values/render-text.js';
import type { Node } from '../parse/syntax-tree.js';
import { constantWriter, MAX_WRITERS, type TextWriter, textWriter } from './text-writer.js';

/** A text with `{{ expressions }}`. `\{{` produces two braces. */
export interface Template {
  readonly references: readonly string[];
  /** The names among them that an expression does more with than insert their values: see `inspectedNames`. */
  readonly inspected: readonly string[];
  /** The source positions of the calls of random functions, counted from the start of the template. */
  readonly sites: readonly number[];
  /**
   * Problems that do not prevent the evaluation: constant arguments that a function never accepts or partly
   * ignores, decimals with digits that a double loses, and unknown escapes. A new definition must be refused
   * for them.
   */
  readonly mistakes: readonly ExpressionError[];
  /** True if the source contains no expression, so that every rendering gives the same text. */
  readonly constant: boolean;
  /** Renders the template. @throws EvaluationError if an expression fails or the text exceeds 64 KiB */
  readonly render: (slots: readonly unknown[], draws: Draws) => string;
  /**
   * Appends the text that `render` returns, without creating a string. Absent if a part of the template has
   * no writer, or if there are more than `MAX_WRITERS` expressions.
   */
  readonly write?: TextWriter;
  /** Like `render`, but a template that consists of one expression returns its value with its type. */
  readonly evaluate: Closure;
  /**
   * Set if every rendered text contains a complete new UUID. `length` is the length of the text, or undefined
   * if the length varies.
   */
  readonly uuid?: { readonly length: number | undefined };
}

/**
 * The expressions of a template, and the texts before, between and after them. The number of texts is the
 * number of expressions plus one.
 */
interface Parts {
  readonly texts: readonly string[];
  readonly closures: readonly Closure[];
  readonly nodes: readonly Node[];
  /** The number of expressions that consist only of a call of `uuid`. */
  readonly uuids: number;
}

/** Compiles a template. See `compileExpression` for the expressions in braces. @throws ExpressionError */
export function compileTemplate(source: string, names: Names): Template {
  if (utf8Length(source) > LIMITS.textBytes) {
    throw new ExpressionError(`a template may be at most ${LIMITS.textBytes} bytes long`, 0, true);
  }
  const compilation = new Compilation(source, names);
  const parts = split(source, names, compilation);
  const render = renderer(parts);
  const write = writerOf(parts, names, compilation);
  const [only, second] = parts.closures;
  const isWhole = only && !second && parts.texts.every((text) => text === '');
  return {
    references: [...compilation.references],
    inspected: [...new Set(parts.nodes.flatMap((node) => [...inspectedNames(node, names)]))],
    sites: compilation.sites,
    mistakes: compilation.mistakes,
    constant: only === undefined,
    render,
    ...(write && { write }),
    evaluate: isWhole ? evaluation(only) : render,
    ...(parts.uuids === 0 ? {} : { uuid: { length: lengthOf(parts) } }),
  };
}

function lengthOf({ texts, closures, uuids }: Parts): number | undefined {
  return uuids === closures.length ? texts.join('').length + uuids * UUID_LENGTH : undefined;
}

function split(source: string, names: Names, compilation: Compilation): Parts {
  const texts: string[] = [];
  const closures: Closure[] = [];
  const nodes: Node[] = [];
  let uuids = 0;
  let text = '';
  let at = 0;
  while (at < source.length) {
    if (source.startsWith('\\{{', at)) {
      text += '{{';
      at += 3;
    } else if (source.startsWith('{{', at)) {
      const { node, end } = readExpression(source, at + 2, true, names.keys());
      if (utf8Length(source.slice(at + 2, end - 2)) > LIMITS.sourceBytes) throw sourceTooLong(at);
      texts.push(text);
      closures.push(compilation.compile(node));
      nodes.push(node);
      if (isUuid(node, names)) uuids += 1;
      text = '';
      at = end;
    } else {
      text += source.charAt(at);
      at += 1;
    }
  }
  return { texts: [...texts, text], closures, nodes, uuids };
}

/** Matches `uuid()`, and `uuid` without parentheses if no name hides it. */
function isUuid(node: Node, names: Names): boolean {
  if (node.kind === 'call') return node.name === 'uuid';
  return node.kind === 'name' && node.name === 'uuid' && !names.has('uuid');
}

function renderer({ texts, closures }: Parts): Template['render'] {
  const [before = '', after = ''] = texts;
  const [only, second] = closures;
  if (only === undefined) return () => before;
  if (second === undefined) {
    return (slots, draws) => {
      beginWork();
      return withinTextLimit(before + renderText(only(slots, draws)) + after);
    };
  }
  return (slots, draws) => {
    beginWork();
    let text = before;
    for (let i = 0; i < closures.length; i += 1) {
      text += renderText(closures[i]?.(slots, draws)) + (texts[i + 1] ?? '');
      if (text.length > LIMITS.textBytes) throw tooLong();
    }
    return withinTextLimit(text);
  };
}

/** @returns undefined if a part has no writer, or if there are more than `MAX_WRITERS` expressions */
function writerOf({ texts, nodes }: Parts, names: Names, { sites }: Compilation): TextWriter | undefined {
  if (nodes.length > MAX_WRITERS) return undefined;
  const writers: TextWriter[] = [];
  for (const [i, text] of texts.entries()) {
    const node = nodes[i];
    const literal = constantWriter(text);
    const written = node && textWriter(node, names, (at) => sites.indexOf(at));
    if (literal === undefined || (node !== undefined && written === undefined)) return undefined;
    if (text !== '') writers.push(literal);
    if (written !== undefined) writers.push(written);
  }
  return (slotTexts, draws, out) => {
    const from = out.length;
    for (let i = 0; i < writers.length; i += 1) {
      if (!(writers[i] as TextWriter)(slotTexts, draws, out)) return false;
    }
    return out.length - from <= LIMITS.textBytes;
  };
}
