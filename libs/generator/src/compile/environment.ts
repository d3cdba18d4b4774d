import type { NgramModel } from '@understudy/ngram';

/** The object that a model id refers to. */
export type ModelSource = NgramModel | PrivateSource | ListSource | CompositionSource;

/** A model whose training values must not appear in generated values, even if a definition requests them. */
export interface PrivateSource {
  readonly kind: 'private';
  readonly model: NgramModel;
  /**
   * True if a definition must not choose the text of values. Whether the model can produce a chosen text
   * depends on whether the text is a training value.
   */
  readonly refusesChosenText: boolean;
}

/** The problem of a definition that chooses text although {@link PrivateSource} refuses it. */
export const CHOSEN_TEXT_REFUSED =
  'a private model does not serve starts_with, ends_with, contains or initials under a policy that protects columns';

/** A list of values. It replaces a model that would produce wrong values, or too few new values. */
export interface ListSource {
  readonly kind: 'list';
  /** Has the form of a list asset: an array of texts or of `{ value, weight }`. */
  readonly values: unknown;
}

/** A registered generator without params. */
export interface CompositionSource {
  readonly kind: 'composition';
  /** The name of the generator. */
  readonly use: string;
}

/** The input of a generator in addition to its params. */
export interface Environment {
  /**
   * Returns the model of an id, or undefined. Called during compilation if the id is constant. Called during
   * the generation of a row if a template produces the id.
   */
  readonly models: (id: string) => ModelSource | undefined;
  /** Lists ids of models. A message about an unknown id suggests a similar one. */
  readonly modelIds?: () => Iterable<string>;
  /**
   * Returns the JSON of a list asset: an array, or a map of arrays. Returns undefined for an unknown name.
   * Called during compilation if the name is constant. Called during the generation of a row if a template
   * produces the name.
   */
  readonly assets?: (name: string) => unknown;
  /** The instant of `now`, `today` and relative dates, in milliseconds since 1970. */
  readonly nowMs: number;
  /**
   * True if the definition was accepted earlier, perhaps by a version that accepted more. Letters of a date
   * pattern that are no tokens are then warnings instead of problems.
   */
  readonly isStored?: boolean;
}
