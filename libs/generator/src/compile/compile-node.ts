import { didYouMean, type Names } from '@understudy/expression';
import { AUTHORED_TYPES, SVC_TYPE_NAMES, svcName } from '../definition/authored-types.js';
import type { CompileContext } from './compile-context.js';
import { joinPath, describe, isObject, own, type JsonObject } from '../definition/json-value.js';
import { MODIFIER_KEYS, withModifiers } from './modifiers.js';
import type { CompileNode, Node } from '../values/node.js';
import { refuseType } from '../definition/refuse-type.js';
import type { Generators } from '../registry/generator-type.js';
import { compileComposition, OUTPUT_KEYS } from '../types/composition/composition.js';

const COMMON_KEYS = [...MODIFIER_KEYS, 'description'];

/**
 * Returns a compiler for generator definitions of any form, with their modifiers. The `use` of a definition
 * can refer to each of `generators`.
 */
export function nodeCompiler(generators: Generators): CompileNode {
  const compileNode: CompileNode = (definition, path, names, context) =>
    context.generator(path, () => {
      if (!isObject(definition))
        return context.fail(path, `a generator must be an object, got ${describe(definition)}`);
      const node = compileForm({ definition, path, names, context, generators }, compileNode);
      return node && withModifiers(node, definition, path, names, context);
    });
  return compileNode;
}

interface Authored {
  readonly definition: JsonObject;
  readonly path: string;
  readonly names: Names;
  readonly context: CompileContext;
  readonly generators: Generators;
}

function compileForm(authored: Authored, compileNode: CompileNode): Node | undefined {
  const { definition, path, names, context } = authored;
  const hasType = Object.hasOwn(definition, 'type');
  const hasUse = Object.hasOwn(definition, 'use');
  const isComposition =
    OUTPUT_KEYS.some((key) => Object.hasOwn(definition, key)) || Object.hasOwn(definition, 'let');
  if (hasType && !hasUse) return compileTyped(authored);
  if (hasUse && !hasType) return compileUsed(authored);
  if (!hasType && !hasUse && isComposition) {
    checkKeys(authored, ['params', 'let', ...OUTPUT_KEYS]);
    return compileComposition(definition, path, names, context, compileNode);
  }
  return context.fail(
    path,
    `a generator must have exactly one of type, use and a composition's ${OUTPUT_KEYS.join(', ')}`,
  );
}

function compileTyped(authored: Authored): Node | undefined {
  const { definition, path, context } = authored;
  const type = own(definition, 'type');
  const typePath = joinPath(path, 'type');
  if (typeof type !== 'string') return context.fail(typePath, `must be a string, got ${describe(type)}`);
  if (SVC_TYPE_NAMES.includes(type)) {
    const algorithm = own(definition, 'algorithm');
    const at = joinPath(path, 'algorithm');
    if (typeof algorithm !== 'string') {
      return context.fail(at, `must name an algorithm, got ${describe(algorithm)}`);
    }
    checkKeys(authored, ['type', 'algorithm', 'params', 'constraints']);
    const called = { name: svcName(algorithm), at, shown: algorithm, siblings: svcName('') };
    return compileCall(called, authored, readParams(authored));
  }
  const known = AUTHORED_TYPES.get(type);
  if (known === undefined) return refuseType(type, definition, path, context);
  checkKeys(authored, ['type', 'constraints', ...known.keys]);
  const values = Object.fromEntries(
    known.keys.filter((key) => Object.hasOwn(definition, key)).map((key) => [key, definition[key]]),
  );
  return compileCall({ name: known.use, at: typePath, shown: type, siblings: '' }, authored, {
    values,
    path,
  });
}

function compileUsed(authored: Authored): Node | undefined {
  const use = own(authored.definition, 'use');
  const at = joinPath(authored.path, 'use');
  if (typeof use !== 'string') return authored.context.fail(at, `must be a string, got ${describe(use)}`);
  checkKeys(authored, ['use', 'params', 'constraints']);
  return compileCall({ name: use, at, shown: use, siblings: '' }, authored, readParams(authored));
}

interface Called {
  readonly name: string;
  /** The path of the generator's name, or of the key that selects the generator instead of a name. */
  readonly at: string;
  readonly shown: string;
  /** The prefix of the names that error messages may suggest. */
  readonly siblings: string;
}

interface Given {
  readonly values: JsonObject;
  readonly path: string;
}

function compileCall(
  called: Called,
  { definition, path, names, context, generators }: Authored,
  params: Given | undefined,
): Node | undefined {
  const type = generators.find(called.name);
  if (type === undefined) return context.fail(called.at, unknownName(called, generators));
  if (type.countsRows === true) context.countsRows = true;
  const constraintsPath = joinPath(path, 'constraints');
  const constraints = own(definition, 'constraints') ?? {};
  if (!isObject(constraints))
    return context.fail(constraintsPath, `must be an object, got ${describe(constraints)}`);
  if (params === undefined) return undefined;
  const paths = { definition: path, params: params.path, constraints: constraintsPath };
  return type.compile({ params: params.values, constraints, paths, names, context, generators });
}

function unknownName({ shown, siblings }: Called, generators: Generators): string {
  const names = generators.names().filter((name) => name.startsWith(siblings));
  const short = names.map((name) => name.slice(siblings.length));
  const hint = didYouMean(shown, short);
  return siblings === ''
    ? `no generator of this name is registered${hint}`
    : `unknown algorithm${hint === '' ? ';' : hint} there are ${short.join(', ')}`;
}

function readParams({ definition, path, context }: Authored): Given | undefined {
  const values = own(definition, 'params') ?? {};
  const at = joinPath(path, 'params');
  if (isObject(values)) return { values, path: at };
  return context.fail(at, `must be an object, got ${describe(values)}`);
}

function checkKeys({ definition, path, context }: Authored, keys: readonly string[]): void {
  const known = [...keys, ...COMMON_KEYS];
  for (const key of Object.keys(definition)) {
    if (known.includes(key)) continue;
    context.fail(
      joinPath(path, key),
      `is not a key of this generator (${known.join(', ')})${didYouMean(key, known)}`,
    );
  }
}
