import { didYouMean, type Names } from '@understudy/expression';
import type { CompileContext } from './compile-context.js';
import { joinPath } from './json-path.js';
import { describe, isObject, own, type JsonObject } from './json-value.js';
import { MODIFIER_KEYS, withModifiers } from './modifiers.js';
import type { Node } from './node.js';
import { refuseUnsupportedType, SUPPORTED } from './refused-types.js';
import { compileComposition, OUTPUT_KEYS } from './types/composition.js';
import { compileList } from './types/list.js';
import { compileModel } from './types/model.js';
import { compileSvc } from './types/svc.js';

const LOGIC = '@svc/core:logic.';
const LIST = '@svc/core:list';
const MODEL = '@svc/core:model';
const SVC_TYPES = ['svc', 'logic', 'the service'];
const COMMON_KEYS = [...MODIFIER_KEYS, 'description'];

/**
 * Compiles one generator of any form, its modifiers included.
 * @param names what its templates and expressions may refer to
 * @returns undefined when problems were filed
 */
export function compileNode(
  definition: unknown,
  path: string,
  names: Names,
  context: CompileContext,
): Node | undefined {
  if (!context.countGenerator(path)) return undefined;
  if (!isObject(definition))
    return context.fail(path, `a generator is an object, got ${describe(definition)}`);
  const node = compileForm(definition, path, names, context);
  return node === undefined ? undefined : withModifiers(node, definition, path, names, context);
}

function compileForm(
  definition: JsonObject,
  path: string,
  names: Names,
  context: CompileContext,
): Node | undefined {
  const hasType = Object.hasOwn(definition, 'type');
  const hasUse = Object.hasOwn(definition, 'use');
  const isComposition =
    OUTPUT_KEYS.some((key) => Object.hasOwn(definition, key)) || Object.hasOwn(definition, 'let');
  if (hasType && !hasUse) return compileTyped(definition, path, names, context);
  if (hasUse && !hasType) return compileUsed(definition, path, names, context);
  if (!hasType && !hasUse && isComposition) {
    checkKeys(definition, ['params', 'let', ...OUTPUT_KEYS], path, context);
    return compileComposition(definition, path, names, context, compileNode);
  }
  return context.fail(
    path,
    `a generator has exactly one of type, use and a composition's ${OUTPUT_KEYS.join(', ')}`,
  );
}

function compileTyped(
  definition: JsonObject,
  path: string,
  names: Names,
  context: CompileContext,
): Node | undefined {
  const type = own(definition, 'type');
  const typePath = joinPath(path, 'type');
  if (typeof type !== 'string') return context.fail(typePath, `must be a string, got ${describe(type)}`);
  if (SVC_TYPES.includes(type)) {
    checkKeys(definition, ['type', 'algorithm', 'params'], path, context);
    const algorithm = own(definition, 'algorithm');
    const algorithmPath = joinPath(path, 'algorithm');
    if (typeof algorithm !== 'string') {
      return context.fail(algorithmPath, `must name an algorithm, got ${describe(algorithm)}`);
    }
    const params = readParams(definition, path, context);
    return params && compileSvc(algorithm, algorithmPath, params, joinPath(path, 'params'), names, context);
  }
  if (type === 'list') {
    const keys = ['source', 'values', 'key', 'where'];
    checkKeys(definition, ['type', ...keys], path, context);
    return compileList(gather(definition, keys), path, names, context);
  }
  if (type === 'model') {
    const keys = ['source', 'generation'];
    checkKeys(definition, ['type', 'constraints', ...keys], path, context);
    const paths = { definition: path, params: path, constraints: joinPath(path, 'constraints') };
    return compileModel(gather(definition, keys), own(definition, 'constraints'), paths, names, context);
  }
  return refuseUnsupportedType(type, definition, path, context);
}

function compileUsed(
  definition: JsonObject,
  path: string,
  names: Names,
  context: CompileContext,
): Node | undefined {
  const use = own(definition, 'use');
  const usePath = joinPath(path, 'use');
  if (typeof use !== 'string') return context.fail(usePath, `must be a string, got ${describe(use)}`);
  const params = readParams(definition, path, context);
  if (params === undefined) return undefined;
  const paramsPath = joinPath(path, 'params');
  checkKeys(definition, ['use', 'params', ...(use === MODEL ? ['constraints'] : [])], path, context);
  if (use.startsWith(LOGIC))
    return compileSvc(use.slice(LOGIC.length), usePath, params, paramsPath, names, context);
  if (use === LIST) return compileList(params, paramsPath, names, context);
  if (use === MODEL) {
    const paths = { definition: path, params: paramsPath, constraints: joinPath(path, 'constraints') };
    return compileModel(params, own(definition, 'constraints'), paths, names, context);
  }
  const hint = didYouMean(use, [LIST, MODEL]);
  return context.fail(
    usePath,
    `no generator of this name is registered${hint === '' ? '.' : hint} ${SUPPORTED}`,
  );
}

function readParams(definition: JsonObject, path: string, context: CompileContext): JsonObject | undefined {
  const params = own(definition, 'params');
  if (params === undefined) return {};
  if (isObject(params)) return params;
  return context.fail(joinPath(path, 'params'), `must be an object, got ${describe(params)}`);
}

function gather(definition: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(definition, key)).map((key) => [key, definition[key]]),
  );
}

function checkKeys(
  definition: JsonObject,
  keys: readonly string[],
  path: string,
  context: CompileContext,
): void {
  const known = [...keys, ...COMMON_KEYS];
  for (const key of Object.keys(definition)) {
    if (known.includes(key)) continue;
    context.fail(
      joinPath(path, key),
      `is no key of this generator (${known.join(', ')})${didYouMean(key, known)}`,
    );
  }
}
