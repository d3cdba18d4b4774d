import { ParameterFault } from '../../definition/errors.js';
import { joinPath, describe, isObject, own } from '../../definition/json-value.js';

export interface ListElement {
  /** What the list holds, as `where` sees it. */
  readonly item: unknown;
  /** What picking it gives. */
  readonly value: unknown;
  readonly weight: number;
}

/**
 * Reads the elements of a list: `{value, weight?}` unwraps, anything else stands for itself with weight 1.
 * @throws ParameterFault on a weight that is not a number of at least 0
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

/** A record of other members with a `value` among them is metadata, and is picked whole. */
function isWeighted(item: Readonly<Record<string, unknown>>): boolean {
  return (
    Object.hasOwn(item, 'value') && Object.keys(item).every((key) => key === 'value' || key === 'weight')
  );
}
