import type { ParamType } from '@understudy/generator';

/** A registered composition, for whoever compiles it. Plain data. */
export interface StoredComposition {
  /** `name@version` */
  readonly id: string;
  /** JSON of what was registered. */
  readonly definitionJson: string;
  /** SHA-256 of that text in UTF-8, in hex. */
  readonly hash: string;
}

/** What compiling a composition tells of it. Plain data. */
export interface CompositionFacts {
  readonly version: string;
  readonly description: string;
  /** The kind of its values. */
  readonly output: ParamType;
}
