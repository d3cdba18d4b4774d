import { storedComposition } from './define-composition.js';
import type { Generators, GeneratorType } from './generator-type.js';

/** Compositions that are stored outside of this library. */
export interface CompositionStore {
  /** Returns all names, for suggestions in messages. */
  names(): readonly string[];
  /**
   * Returns the composition of a name, or undefined. `defineComposition` must have checked it before it was
   * stored.
   */
  read(name: string): unknown;
}

/**
 * Adds the compositions of a store to `base`. A generator of `base` takes precedence over a composition of
 * the same name. Each composition is read only once, at its first use. Compositions may use each other and
 * the generators of `base`.
 */
export function withCompositions(base: Generators, store: CompositionStore): Generators {
  const known = new Map<string, GeneratorType>();
  const generators: Generators = {
    names: () => [...base.names(), ...store.names()],
    find(name) {
      const found = base.find(name) ?? known.get(name);
      if (found !== undefined) return found;
      const composition = store.read(name);
      if (composition === undefined) return undefined;
      const type = storedComposition(composition, generators);
      known.set(name, type);
      return type;
    },
  };
  return generators;
}
