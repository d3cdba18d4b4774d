import { ParameterFault } from '../../definition/errors.js';
import { joinPath, describe, isObject, own, type JsonObject } from '../../definition/json-value.js';
import type { Node } from '../../values/node.js';
import type { GeneratorSite } from '../../registry/generator-type.js';
import { checkNames, type ParamsManifest } from '../../registry/params-manifest.js';
import { fixedList } from '../list/list.js';
import { inlineCandidates, type Candidates } from '../list/list-candidates.js';
import { selectFrom } from '../list/list-selection.js';
import { MODE } from './value-window.js';

export const CATEGORICAL_PARAMS: ParamsManifest = {
  values: {
    type: 'array',
    description:
      'Required in mode categorical: the values to pick from. Each is `{ value, weight }`, or a ' +
      'scalar of weight 1. `weight` defaults to 1; a value of weight 0 is never picked. Texts in a ' +
      'value may be templates.',
  },
};

const ELEMENT: ParamsManifest = { value: { type: 'any', required: true }, weight: { type: 'any' } };

/**
 * Compiles a list in which every element is a scalar or has the form `{ value, weight }`. Picks an element
 * like the generator `list`.
 */
export function compileCategorical(site: GeneratorSite): Node | undefined {
  const { params, constraints, paths, names, context } = site;
  const before = context.problems.length;
  const candidates = context.attempt(paths.params, () => {
    checkNames(params, { ...MODE, ...CATEGORICAL_PARAMS }, paths.params);
    checkNames(constraints, {}, paths.constraints);
    checkElements(params, joinPath(paths.params, 'values'));
    return inlineCandidates(params, paths.params, names, context);
  });
  if (candidates === undefined || context.problems.length > before) return undefined;
  return context.attempt(paths.params, () => pickOne(candidates));
}

function pickOne(candidates: Candidates): Node {
  return fixedList(
    candidates,
    selectFrom(candidates, () => true),
  );
}

/**
 * Refuses an object that has members other than `value` and `weight`. The generator `list` accepts such an
 * object as a value, but here it is a mistake.
 * @throws ParameterFault
 */
function checkElements(params: JsonObject, path: string): void {
  const values = own(params, 'values');
  if (!Array.isArray(values)) return; // inlineCandidates refuses it
  values.forEach((element: unknown, i) => {
    const at = joinPath(path, i);
    if (isObject(element)) {
      checkNames(element, ELEMENT, at);
      if (!Object.hasOwn(element, 'value')) throw new ParameterFault(joinPath(at, 'value'), 'is required');
    } else if (Array.isArray(element)) {
      throw new ParameterFault(at, `must be {"value", "weight"} or a scalar, got ${describe(element)}`);
    }
  });
}
