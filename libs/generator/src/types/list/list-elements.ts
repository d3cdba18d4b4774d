import { ParameterFault } from '../../definition/errors.js';
import { joinPath, describe, isObject, own } from '../../definition/json-value.js';

export interface ListElement {
  /** The element as it is written in the list. `where` reads it as `item`. */
  readonly item: unknown;
  /** The value that the list generates if this element is picked. */
  readonly value: unknown;
  readonly weight: number;
}

/**
 * Reads the elements of a list. An element `{value, weight?}` has that value and weight. Any other element is
 * itself the value and has weight 1.
 * @throws ParameterFault if a weight is not a number of at least 0
 */
export function readListElements(values: readonly unknown[], path: string): ListElement[] {
  return values.map((item, i) => {
    if (!isObject(item) || !isWeighted(item)) return { item, value: item, weight: 1 };
    const weight = own(item, 'weight') ?? 1;
    if (typeof weight !== 'number' || !(weight >= 0 && weight < Infinity)) {
      const at = joinPath(joinPath(path, i), 'weight');
      throw new ParameterFault(at, `must be a number of at least 0, got ${describe(weight)}`);
    }
    return { item, value: own(item, 'value'), weight };
  });
}

/**
 * Returns whether an object has the form `{value, weight?}`. An object with other members is itself a value.
 */
function isWeighted(item: Readonly<Record<string, unknown>>): boolean {
  return (
    Object.hasOwn(item, 'value') && Object.keys(item).every((key) => key === 'value' || key === 'weight')
  );
}
