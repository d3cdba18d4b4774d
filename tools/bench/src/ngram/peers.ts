import { createRequire } from 'node:module';

// Neither package's types can be imported under Node's own resolution; this is what of them is used.
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

/** @param order ours: foswig counts the letters before, which are one fewer */
export function foswig(order: number, names: readonly string[]): { word(): string; newWord(): string } {
  const chain = new FoswigChain(order - 1, names);
  return {
    word: () => chain.generate({}),
    newWord: () => chain.generate({ allowDuplicates: false, maxAttempts: 0 }),
  };
}

/** @param order ours. It knows words alone: a name is a sentence of its letters */
export function markovStrings(order: number, names: readonly string[]): { word(): string } {
  const markov = new Markov({ stateSize: order - 1 });
  markov.addData(names.map((name) => [...name].join(' ')));
  return { word: () => markov.generate({ maxTries: 1000 }).string.replaceAll(' ', '') };
}
