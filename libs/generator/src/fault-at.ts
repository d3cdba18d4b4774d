import { ParameterFault } from './errors.js';

/** What `make` returns; its RangeError is the fault of the param at `path`. @throws ParameterFault */
export function orFaultAt<T>(path: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new ParameterFault(path, error.message);
    throw error;
  }
}
