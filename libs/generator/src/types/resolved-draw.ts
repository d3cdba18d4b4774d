import type { Names } from '@understudy/expression';
import { deriveKey, RandomStream } from '@understudy/random';
import type { CompileContext } from '../compile-context.js';
import { GenerationError, ParameterFault } from '../errors.js';
import { compileJsonTemplate } from '../json-template.js';
import type { JsonObject } from '../json-value.js';
import { drawNode, type Draw, type Node } from '../node.js';

const CACHED_PARAMETER_SETS = 256;

/**
 * The node of a generator whose parameters may hold templates. Without any it is built once, and its faults are
 * problems; with some it is built for each set of values that rows give, and its faults are generation errors.
 */
export function resolvedDrawNode(
  parameters: JsonObject,
  path: string,
  names: Names,
  context: CompileContext,
  build: (resolved: JsonObject) => Draw,
): Node | undefined {
  const before = context.problems.length;
  const template = compileJsonTemplate(parameters, path, names, context);
  if (context.problems.length > before) return undefined;
  const { constant } = template;
  if (constant !== undefined) {
    const draw = context.attempt(path, () => build(constant.value as JsonObject));
    return draw === undefined ? undefined : drawNode(draw);
  }
  return {
    reads: template.reads,
    bind(key) {
      const resolve = template.bind(deriveKey(key, 'params'));
      const valueKey = deriveKey(key, 'value');
      const random = new RandomStream();
      const built = new Map<string, Draw>();
      return (row) => {
        const draw = buildCached(built, resolve(row) as JsonObject, build);
        return draw(random.seekWords(valueKey, row.hi, row.lo, row.attempt), row);
      };
    },
  };
}

function buildCached(
  built: Map<string, Draw>,
  resolved: JsonObject,
  build: (resolved: JsonObject) => Draw,
): Draw {
  const identity = JSON.stringify(resolved, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  const known = built.get(identity);
  if (known !== undefined) return known;
  if (built.size >= CACHED_PARAMETER_SETS) built.clear();
  try {
    const draw = build(resolved);
    built.set(identity, draw);
    return draw;
  } catch (error) {
    if (error instanceof ParameterFault) throw new GenerationError(error.path, error.reason);
    throw error;
  }
}
