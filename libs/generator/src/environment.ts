import type { NgramModel } from '@understudy/ngram';

/** What a generator may know besides its params. */
export interface Environment {
  /** The model of an id, or undefined. Asked while compiling; on a row only where a template makes the id. */
  readonly models: (id: string) => NgramModel | undefined;
  /** The JSON of a list asset: an array, or a map of arrays. Undefined when there is none. Asked as `models` is. */
  readonly assets?: (name: string) => unknown;
  /** The instant that `now`, `today` and relative dates mean, in milliseconds since 1970. */
  readonly nowMs: number;
}
