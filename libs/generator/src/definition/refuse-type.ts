import { didYouMean } from '@understudy/expression';
import { AUTHORED_TYPES } from './authored-types.js';
import type { CompileContext } from '../compile/compile-context.js';
import { joinPath, own, type JsonObject } from './json-value.js';

const TYPES = ['svc', ...AUTHORED_TYPES.keys()];

/** Adds a problem for a type that is unknown or no longer exists. The message suggests a replacement. */
export function refuseType(
  type: string,
  definition: JsonObject,
  path: string,
  context: CompileContext,
): undefined {
  return context.fail(joinPath(path, 'type'), reason(type, definition));
}

function reason(type: string, definition: JsonObject): string {
  if (type === 'template') {
    const pattern = own(definition, 'pattern') ?? own(definition, 'template') ?? '…';
    return `type template no longer exists; write a composition body instead: ${JSON.stringify({ body: pattern })}`;
  }
  if (type === 'linked') {
    return 'type linked no longer exists; write a list over an asset instead: {"type":"list","source":{"asset":"<name>"}}';
  }
  const hint = didYouMean(type, TYPES);
  return `unknown type${hint === '' ? ';' : hint} there are ${TYPES.join(', ')}, and compositions by body, variants, output, computed or repeat`;
}
