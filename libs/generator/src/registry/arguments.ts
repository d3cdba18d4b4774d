import type { Names } from '@understudy/expression';
import { deriveKey, type Key } from '@understudy/random';
import type { CompileContext } from '../compile/compile-context.js';
import { joinPath, setOwn, type JsonObject } from '../definition/json-value.js';
import { compileJsonTemplate, type JsonTemplate } from '../compile/json-template.js';
import type { Cell } from '../values/row.js';
import { checkNames, checkValue, type ParamsManifest } from './params-manifest.js';

/**
 * The arguments that a definition passes to a generator: constants, and templates over the names in scope.
 */
export interface Arguments {
  readonly reads: ReadonlySet<number>;
  readonly members: readonly Argument[];
  /** The values of all arguments if none contains a template, otherwise undefined. */
  readonly constant: JsonObject | undefined;
}

export interface Argument {
  readonly name: string;
  readonly template: JsonTemplate;
}

/**
 * Compiles every member, and checks names and constants against the manifest.
 * @returns undefined if problems were added
 */
export function compileArguments(
  values: JsonObject,
  manifest: ParamsManifest,
  path: string,
  names: Names,
  context: CompileContext,
): Arguments | undefined {
  const before = context.problems.length;
  const members = Object.entries(values).map(([name, value]) => ({
    name,
    template: compileJsonTemplate(value, joinPath(path, name), names, context),
  }));
  context.attempt(path, () => checkNames(values, manifest, path));
  for (const [name, declaration] of Object.entries(manifest)) {
    const template = members.find((member) => member.name === name)?.template;
    if (template !== undefined && template.constant === undefined) continue; // checked on each row
    context.attempt(path, () => checkValue(template?.constant?.value, declaration, joinPath(path, name)));
  }
  if (context.problems.length > before) return undefined;
  const reads = new Set(members.flatMap(({ template }) => [...template.reads]));
  context.inspect(reads); // a generator checks its arguments, and fails for some of their values
  return {
    reads,
    members,
    constant: members.every(({ template }) => template.constant !== undefined)
      ? toObject(members.map(({ name, template }) => [name, template.constant?.value]))
      : undefined,
  };
}

/** Returns one cell for each argument, in the order of the definition. */
export function bindArguments({ members }: Arguments, key: Key): Cell[] {
  return members.map(({ name, template }) => template.bind(deriveKey(key, `.${name}`)));
}

export function toObject(entries: Iterable<readonly [string, unknown]>): JsonObject {
  const object: Record<string, unknown> = {};
  for (const [name, value] of entries) setOwn(object, name, value);
  return object;
}
