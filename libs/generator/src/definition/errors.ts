/** One error or warning about a definition. `path` has the form `generators.age.params.min`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export type DefinitionErrorCode = 'validation_error' | 'limit_exceeded';
export type GenerationErrorCode = 'generation_failed' | 'limit_exceeded';

/** Thrown if a definition cannot be compiled. No value was generated. */
export class DefinitionError extends Error {
  constructor(
    readonly problems: readonly Problem[],
    readonly code: DefinitionErrorCode = 'validation_error',
    /** Whether the definition is correct, but a model or list has no value that meets its constraints. */
    readonly isUnsatisfiable = false,
  ) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '));
    this.name = 'DefinitionError';
  }
}

/** Thrown if a generator fails on a row. The error contains the path of the generator, but no values. */
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

/**
 * Thrown for an invalid parameter. During compilation, the fault becomes a problem. If a template produced
 * the parameter on a row, the fault becomes a GenerationError.
 */
export class ParameterFault extends Error {
  constructor(
    readonly path: string,
    readonly reason: string,
    /** True if the parameter exceeds a budget. The error code is then `limit_exceeded`. */
    readonly overLimit = false,
  ) {
    super(reason);
    this.name = 'ParameterFault';
  }
}

/** Thrown if a model or list has no value that meets the constraints. */
export class UnsatisfiableFault extends ParameterFault {}

/** Calls `make`, and converts its RangeError into a fault of the param at `path`. @throws ParameterFault */
export function withFaultPath<T>(path: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new ParameterFault(path, error.message);
    throw error;
  }
}
