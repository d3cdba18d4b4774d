/** One fault of a definition. `path` is written like `generators.age.params.min`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export type DefinitionErrorCode = 'validation_error' | 'limit_exceeded';
export type GenerationErrorCode = 'generation_failed' | 'limit_exceeded';

/** A definition that cannot be compiled. Nothing was generated. */
export class DefinitionError extends Error {
  constructor(
    readonly problems: readonly Problem[],
    readonly code: DefinitionErrorCode = 'validation_error',
  ) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '));
    this.name = 'DefinitionError';
  }
}

/** A generator that failed on a row. Names the generator's place and no values. */
export class GenerationError extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
    readonly code: GenerationErrorCode = 'generation_failed',
  ) {
    super(path === '' ? reason : `${path}: ${reason}`);
    this.name = 'GenerationError';
  }
}

/** A parameter that is wrong: a problem while compiling, a GenerationError where a template made it on a row. */
export class ParameterFault extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
    /** It exceeds a budget, so that the code is `limit_exceeded`. */
    readonly overLimit = false,
  ) {
    super(reason);
    this.name = 'ParameterFault';
  }
}

/** What `make` returns; its RangeError is the fault of the param at `path`. @throws ParameterFault */
export function withFaultPath<T>(path: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new ParameterFault(path, error.message);
    throw error;
  }
}
