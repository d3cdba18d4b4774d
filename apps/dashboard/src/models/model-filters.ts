import { oneOf, searchReader, textLike } from '../api/search.js';

export const MODEL_TYPES = ['builtin', 'custom', 'private'] as const;
export type ModelType = (typeof MODEL_TYPES)[number];

export const MODEL_KINDS = ['ngram', 'list', 'composition'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** Reads the filters of the list of models from the address. What is not known is left out. */
export const readModelFilters = searchReader({
  /** Default: the built-in models. */
  type: oneOf(MODEL_TYPES),
  kind: oneOf(MODEL_KINDS),
  /** `<lang>_<REGION>`. */
  locale: textLike(/^[a-z]{2,3}_[A-Z]{2}$/),
});

/** The filters of the list of models, as the address of the page holds them. */
export type ModelFilters = ReturnType<typeof readModelFilters>;

/**
 * Returns the parameters of the route of a model.
 * @param id `<locale>/<name>`, `custom/<name>` or `private/<name>`
 */
export function modelParams(id: string): { readonly group: string; readonly name: string } {
  const slash = id.indexOf('/');
  return { group: id.slice(0, slash), name: id.slice(slash + 1) };
}
