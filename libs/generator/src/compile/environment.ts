import type { NgramModel } from '@understudy/ngram';

/** What may stand behind the id of a model. */
export type ModelSource = NgramModel | PrivateSource | ListSource | CompositionSource;

/** A model that hands out none of its training items, whatever a definition asks of it. */
export interface PrivateSource {
  readonly kind: 'private';
  readonly model: NgramModel;
}

/** The values themselves, where a model of them would make up too few or wrong ones. */
export interface ListSource {
  readonly kind: 'list';
  /** As of a list asset that is an array of texts or `{ value, weight }`. */
  readonly values: unknown;
}

/** A registered generator that takes no params. */
export interface CompositionSource {
  readonly kind: 'composition';
  /** Its name. */
  readonly use: string;
}

/** What a generator may know besides its params. */
export interface Environment {
  /** What an id of a model stands for, or undefined. Asked while compiling; on a row only where a template makes the id. */
  readonly models: (id: string) => ModelSource | undefined;
  /** The JSON of a list asset: an array, or a map of arrays. Undefined when there is none. Asked as `models` is. */
  readonly assets?: (name: string) => unknown;
  /** The instant that `now`, `today` and relative dates mean, in milliseconds since 1970. */
  readonly nowMs: number;
}
