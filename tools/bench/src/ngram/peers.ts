import { createRequire } from 'node:module';

// Neither package has types that can be imported under Node's own resolution, so these types declare only the
// used functions.
interface Foswig {
  generate(constraints: { readonly allowDuplicates?: boolean; readonly maxAttempts?: number }): string;
}
interface MarkovStrings {
  addData(data: readonly string[]): void;
  generate(options: { readonly maxTries?: number }): { readonly string: string };
}

const require = createRequire(import.meta.url);
const { default: FoswigChain } = require('foswig') as {
  default: new (order: number, words: readonly string[]) => Foswig;
};
const { default: Markov } = require('markov-strings') as {
  default: new (options: { readonly stateSize: number }) => MarkovStrings;
};

/**
 * Trains foswig.
 * @param order our order. It includes the generated letter, but the order of foswig does not, so foswig gets
 *   `order - 1`
 */
export function foswig(order: number, names: readonly string[]): { word(): string; newWord(): string } {
  const chain = new FoswigChain(order - 1, names);
  return {
    word: () => chain.generate({}),
    newWord: () => chain.generate({ allowDuplicates: false, maxAttempts: 0 }),
  };
}

/**
 * Trains markov-strings. The package generates sentences of words, so each letter of a name is passed as a
 * word.
 * @param order our order, which is one more than `stateSize` of the package
 */
export function markovStrings(order: number, names: readonly string[]): { word(): string } {
  const markov = new Markov({ stateSize: order - 1 });
  markov.addData(names.map((name) => [...name].join(' ')));
  return { word: () => markov.generate({ maxTries: 1000 }).string.replaceAll(' ', '') };
}
