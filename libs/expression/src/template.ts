import { Compilation, type Closure, type Draws, type Names } from './compile.js';
import { ExpressionError } from './errors.js';
import { sourceTooLong } from './expression.js';
import { LIMITS } from './limits.js';
import { parse } from './parse.js';
import { renderText, utf8Length, withinTextLimit } from './render-text.js';
import { tokenize } from './tokenize.js';

/** A text with `{{ expressions }}`; `\{{` stands for two braces. */
export interface Template {
  readonly references: readonly string[];
  /** As in `Expression`; positions count from the template's start. */
  readonly sites: readonly number[];
  /** True when the source holds no expression: it renders to the same text every time. */
  readonly constant: boolean;
  /** The text. @throws EvaluationError, also past 64 KiB */
  readonly render: (slots: readonly unknown[], draws: Draws) => string;
  /** Like `render`, but a template that is one whole expression gives its value with its own type. */
  readonly evaluate: Closure;
}

type Part = string | Closure;

/** @throws ExpressionError */
export function compileTemplate(source: string, names: Names): Template {
  if (utf8Length(source) > LIMITS.textBytes) {
    throw new ExpressionError(`a template is at most ${LIMITS.textBytes} bytes long`, 0, true);
  }
  const compilation = new Compilation(names);
  const parts = split(source, compilation);
  const render = renderer(parts);
  const [only] = parts;
  return {
    references: [...compilation.references],
    sites: compilation.sites,
    constant: parts.every((part) => typeof part === 'string'),
    render,
    evaluate: parts.length === 1 && typeof only === 'function' ? only : render,
  };
}

function split(source: string, compilation: Compilation): Part[] {
  const parts: Part[] = [];
  let text = '';
  let at = 0;
  while (at < source.length) {
    if (source.startsWith('\\{{', at)) {
      text += '{{';
      at += 3;
    } else if (source.startsWith('{{', at)) {
      const { tokens, end } = tokenize(source, at + 2, true);
      if (utf8Length(source.slice(at + 2, end - 2)) > LIMITS.sourceBytes) throw sourceTooLong(at);
      if (text !== '') parts.push(text);
      text = '';
      parts.push(compilation.compile(parse(tokens)));
      at = end;
    } else {
      text += source.charAt(at);
      at += 1;
    }
  }
  if (text !== '') parts.push(text);
  return parts;
}

function renderer(parts: readonly Part[]): Template['render'] {
  const [first, second, third] = parts;
  // The common shapes without a loop: a constant, and one expression with text around it.
  if (parts.every((part) => typeof part === 'string')) {
    const text = parts.join('');
    return () => text;
  }
  if (
    parts.length <= 3 &&
    typeof first !== 'function' &&
    typeof second === 'function' &&
    typeof third !== 'function'
  ) {
    const before = first ?? '';
    const after = third ?? '';
    return (slots, draws) => withinTextLimit(before + renderText(second(slots, draws)) + after);
  }
  return (slots, draws) => {
    let text = '';
    for (const part of parts) {
      text += typeof part === 'string' ? part : renderText(part(slots, draws));
      if (text.length > LIMITS.textBytes) break; // withinTextLimit below throws
    }
    return withinTextLimit(text);
  };
}
