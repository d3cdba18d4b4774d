export const MODEL_TYPES = ['builtin', 'custom', 'private'] as const;
export type ModelType = (typeof MODEL_TYPES)[number];

export const MODEL_KINDS = ['ngram', 'list', 'composition'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** The filters of the list of models, as the address of the page holds them. */
export interface ModelFilters {
  /** Default: the built-in models. */
  readonly type?: ModelType;
  readonly kind?: ModelKind;
  /** `<lang>_<REGION>`. */
  readonly locale?: string;
}

/** Reads the filters from the address. What is not known is left out. */
export function readModelFilters(search: Record<string, unknown>): ModelFilters {
  const type = MODEL_TYPES.find((known) => known === search['type']);
  const kind = MODEL_KINDS.find((known) => known === search['kind']);
  const locale = search['locale'];
  return {
    ...(type && { type }),
    ...(kind && { kind }),
    ...(typeof locale === 'string' && /^[a-z]{2,3}_[A-Z]{2}$/.test(locale) && { locale }),
  };
}

/**
 * Returns the parameters of the route of a model.
 * @param id `<locale>/<name>`, `custom/<name>` or `private/<name>`
 */
export function modelParams(id: string): { readonly group: string; readonly name: string } {
  const slash = id.indexOf('/');
  return { group: id.slice(0, slash), name: id.slice(slash + 1) };
}
