import type { NgramModel } from '@understudy/ngram';

export interface CompileOptions {
  /** The model of an id, or undefined. Asked while compiling; on a row only where a template makes the id. */
  readonly models: (id: string) => NgramModel | undefined;
  /** The instant that `now`, `today` and relative dates mean, in milliseconds since 1970. */
  readonly nowMs: number;
}
