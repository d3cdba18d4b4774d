import {
  compileTemplate,
  EvaluationError,
  hasMembers,
  type Names,
  type Template,
} from '@understudy/expression';
import { deriveKey, type Key } from '@understudy/random';
import { bindExpression, slotsOf } from './bound-expression.js';
import type { CompileContext } from './compile-context.js';
import { joinPath, setOwn } from '../definition/json-value.js';
import type { Node } from '../values/node.js';
import type { Cell } from '../values/row.js';

/**
 * JSON whose string leaves are templates. A leaf that consists of exactly one expression keeps the type of
 * the expression's value.
 */
export interface JsonTemplate extends Node {
  /** The JSON value, if it is known during compilation. */
  readonly constant: { readonly value: unknown } | undefined;
}

/** Compiles every leaf. Problems are added with the paths of their leaves. */
export function compileJsonTemplate(
  value: unknown,
  path: string,
  names: Names,
  context: CompileContext,
): JsonTemplate {
  if (typeof value === 'string') return compileLeaf(value, path, names, context);
  if (!hasMembers(value)) return constant(value);
  const isArray = Array.isArray(value);
  const entries: [string | number, JsonTemplate][] = isArray
    ? value.map((item: unknown, i) => [i, compileJsonTemplate(item, joinPath(path, i), names, context)])
    : Object.entries(value).map(([key, item]) => [
        key,
        compileJsonTemplate(item, joinPath(path, key), names, context),
      ]);
  if (entries.every(([, template]) => template.constant !== undefined)) {
    return constant(
      assemble(
        isArray,
        entries.map(([key, template]) => [key, template.constant?.value]),
      ),
    );
  }
  return {
    constant: undefined,
    reads: new Set(entries.flatMap(([, template]) => [...template.reads])),
    bind(key: Key): Cell {
      const cells = entries.map(
        ([name, template]) => [name, template.bind(deriveKey(key, `.${name}`))] as const,
      );
      return (row) =>
        assemble(
          isArray,
          cells.map(([name, cell]) => [name, cell(row)]),
        );
    },
  };
}

function compileLeaf(text: string, path: string, names: Names, context: CompileContext): JsonTemplate {
  if (!text.includes('{{')) return constant(text);
  const template = context.attempt(path, () => compileTemplate(text, names));
  if (template === undefined) return FAULTY;
  if (template.constant) return constant(template.render([], NO_DRAWS));
  context.inspect(slotsOf(template.inspected, names));
  context.reportMistakes(path, template.mistakes);
  const reads = slotsOf(template.references, names);
  if (template.sites.length === 0 && reads.size > 0 && context.areConstant(reads)) {
    const known = valueNow(template, context);
    if (known !== undefined) return constant(known.value);
  }
  return {
    constant: undefined,
    reads,
    bind: (key) => bindExpression(template, template.evaluate, path, key),
  };
}

/**
 * Evaluates a template during compilation. Returns undefined if the evaluation fails. Each row that needs the
 * value then evaluates the template again, and reports the error with its path.
 */
function valueNow(template: Template, context: CompileContext): { readonly value: unknown } | undefined {
  try {
    return { value: template.evaluate(context.constants, NO_DRAWS) };
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

function constant(value: unknown): JsonTemplate {
  return { constant: { value }, reads: new Set(), bind: () => () => value };
}

function assemble(isArray: boolean, entries: readonly (readonly [string | number, unknown])[]): unknown {
  if (isArray) return entries.map(([, value]) => value);
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries) setOwn(object, String(key), value);
  return object;
}

/**
 * Replaces a leaf that was reported as a problem. The replacement has no constant value, so that compilation
 * checks none and reports no further problems.
 */
const FAULTY: JsonTemplate = { constant: undefined, reads: new Set(), bind: () => () => null };

const NO_DRAWS = {
  stream(): never {
    throw new Error('a constant template draws nothing');
  },
};
