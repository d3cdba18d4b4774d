import { storedComposition } from './define-composition.js';
import type { Generators, GeneratorType } from './generator-type.js';

/** Compositions that are kept somewhere else. */
export interface CompositionStore {
  /** All names, to suggest one of. */
  names(): readonly string[];
  /** The composition of a name, checked by `defineComposition` before it was kept; undefined when there is none. */
  read(name: string): unknown;
}

/**
 * Generators and, where they have none of a name, those of a store: each is read when it is first used, and once. They
 * may use each other and the generators before them.
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
