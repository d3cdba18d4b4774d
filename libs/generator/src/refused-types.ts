import { didYouMean } from '@understudy/expression';
import type { CompileContext } from './compile-context.js';
import { joinPath } from './json-path.js';
import { own, type JsonObject } from './json-value.js';

const SUPPORTED_TYPES = ['svc', 'list', 'model'];
export const SUPPORTED =
  'Supported are the types svc, list and model, and compositions by body, variants, output, computed or repeat';

/** Files a problem that says what to write instead of a type that is gone, or not there yet, or unknown. */
export function refuseUnsupportedType(
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
  if (type === 'statistical' && own(definition, 'mode') === 'algebraic') {
    return 'algebraic is not a generator mode; write a composition step instead: {"computed":"<expression>"}';
  }
  if (type === 'statistical' || type === 'event_sequence')
    return `type ${type} is not supported yet. ${SUPPORTED}`;
  const hint = didYouMean(type, SUPPORTED_TYPES);
  return `unknown type${hint === '' ? '.' : hint} ${SUPPORTED}`;
}
