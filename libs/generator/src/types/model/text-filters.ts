import type { Parameters } from '../../registry/parameters.js';

/** One constraint on a finished text. */
export interface TextFilter {
  /** The path of the constraint. */
  readonly path: string;
  readonly keeps: (text: string) => boolean;
}

/**
 * Returns a filter for each given constraint that can be checked on a finished text. As in a model, texts are
 * compared after NFC, and lengths count code points.
 * @param params the params of the mode; their `starts_with` replaces the constraint of the same name
 */
export function textFilters(constraints: Parameters, params: Parameters): TextFilter[] {
  const filter = (
    name: string,
    keepsFor: (wanted: string) => TextFilter['keeps'],
    given = constraints,
  ): TextFilter[] =>
    given.has(name) ? [{ path: given.at(name), keeps: keepsFor(given.string(name).normalize('NFC')) }] : [];
  const lengthFilter = (name: string, fits: (length: number, bound: number) => boolean): TextFilter[] => {
    if (!constraints.has(name)) return [];
    const bound = constraints.integer(name);
    return [{ path: constraints.at(name), keeps: (text) => fits([...text].length, bound) }];
  };
  return [
    ...filter('starts_with', (wanted) => (text) => text.startsWith(wanted), startsWith(constraints, params)),
    ...filter('ends_with', (wanted) => (text) => text.endsWith(wanted)),
    ...filter('contains', (wanted) => (text) => text.includes(wanted)),
    ...lengthFilter('min_length', (length, bound) => length >= bound),
    ...lengthFilter('max_length', (length, bound) => length <= bound),
  ];
}

function startsWith(constraints: Parameters, params: Parameters): Parameters {
  return params.has('starts_with') ? params : constraints;
}
