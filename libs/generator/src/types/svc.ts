import { didYouMean, type Names } from '@understudy/expression';
import type { CompileContext } from '../compile-context.js';
import type { JsonObject } from '../json-value.js';
import type { Node } from '../node.js';
import { resolvedDrawNode } from './resolved-draw.js';
import { ALGORITHMS } from './svc/algorithms.js';
import { Parameters } from './svc/parameters.js';

/** `@svc/core:logic.<algorithm>`. */
export function compileSvc(
  name: string,
  namePath: string,
  parameters: JsonObject,
  path: string,
  names: Names,
  context: CompileContext,
): Node | undefined {
  const algorithm = ALGORITHMS.get(name);
  if (algorithm === undefined) {
    const list = [...ALGORITHMS.keys()];
    const hint = didYouMean(name, list);
    return context.fail(
      namePath,
      `unknown algorithm${hint === '' ? ';' : hint} there are ${list.join(', ')}`,
    );
  }
  if (algorithm.countsRows && context.mode === 'cell') {
    return context.fail(namePath, `${name} counts rows and is not supported yet in a column rule`);
  }
  return resolvedDrawNode(parameters, path, names, context, (resolved) =>
    algorithm.compile(new Parameters(resolved, path), context.options.nowMs),
  );
}
