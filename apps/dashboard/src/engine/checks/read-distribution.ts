import type { BuiltinLibrary } from '@understudy/builtin-models';
import { nextSymbols, type NgramModel } from '@understudy/ngram';
import { isObject } from '@understudy/sync-job';

/** Asks what a model generates after a prefix. */
export interface DistributionRequest {
  readonly kind: 'distribution';
  readonly model: string;
  readonly prefix: string;
  /** The file of an uploaded model. Undefined for a built-in one. */
  readonly file: Blob | undefined;
}

/** A symbol or a value, with its probability. */
export interface Share {
  /** Undefined for the end of the value. */
  readonly text: string | undefined;
  readonly probability: number;
}

/** The most probable entries, and the rest of them together. All probabilities add up to 1. */
export interface Shares {
  readonly shown: readonly Share[];
  /** The number of entries that are not in `shown`. */
  readonly restCount: number;
  readonly restProbability: number;
}

export type Distribution = { readonly kind: 'distribution' } & (
  | ({
      readonly of: 'symbols';
      /** The longest beginning of the prefix that the model generates. */
      readonly prefix: string;
      /** Whether `prefix` is the whole prefix of the request. */
      readonly isWhole: boolean;
    } & Shares)
  /**
   * The values of a list that begin with the prefix. `share` of all values begin with it; 0 if none does. `keys` are
   * the names of the lists, if the model is a map of lists.
   */
  | ({ readonly of: 'values'; readonly share: number; readonly keys: readonly string[] } & Shares)
  /** The templates of a composition with their probabilities, and its steps in the order of the file. */
  | ({ readonly of: 'parts'; readonly steps: readonly CompositionStep[] } & Shares)
  | { readonly of: 'nothing' }
);

export interface CompositionStep {
  readonly name: string;
  /** The definition as JSON. */
  readonly definition: string;
  /** The id of the model or list that the step uses. */
  readonly source: string | undefined;
}

const SHOWN = 20;

/**
 * @param uploaded the model, unless it is a built-in one
 * @throws AssetError if a file of the model cannot be fetched
 */
export function readDistribution(
  { model: id, prefix }: Pick<DistributionRequest, 'model' | 'prefix'>,
  library: BuiltinLibrary,
  uploaded?: NgramModel,
): Distribution {
  const source = uploaded ?? library.models(id);
  if (source === undefined) return { kind: 'distribution', of: 'nothing' };
  if (!('kind' in source)) {
    const { symbols, ...facts } = nextSymbols(source, prefix);
    return { kind: 'distribution', of: 'symbols', ...facts, ...sharesOf(symbols) };
  }
  if (source.kind === 'list')
    return { kind: 'distribution', of: 'values', ...valuesWith(prefix, source.values) };
  const composition = library.files.readComposition(id);
  return isObject(composition)
    ? { kind: 'distribution', of: 'parts', ...partsOf(composition) }
    : { kind: 'distribution', of: 'nothing' };
}

function partsOf({ body, variants, let: steps }: Readonly<Record<string, unknown>>) {
  const patterns = Array.isArray(variants) ? variants.map(weighted) : [{ text: textOf(body), weight: 1 }];
  const total = patterns.reduce((sum, { weight }) => sum + weight, 0);
  const shares = patterns.map(({ text, weight }) => ({ text, probability: weight / total }));
  return {
    ...sharesOf(shares.sort((one, other) => other.probability - one.probability)),
    steps: Object.entries(isObject(steps) ? steps : {}).map(([name, definition]) => {
      const source = isObject(definition) ? definition['source'] : undefined;
      return {
        name,
        definition: textOf(definition),
        source: typeof source === 'string' && !source.includes('{{') ? source : undefined,
      };
    }),
  };
}

/** @param values as `type: list` accepts them: an array, or a map of arrays that are equally probable */
function valuesWith(prefix: string, values: unknown) {
  const keys = isObject(values) ? Object.keys(values) : [];
  const groups = Array.isArray(values) ? [values] : isObject(values) ? Object.values(values) : [];
  const start = prefix.toLowerCase();
  const found = new Map<string, number>();
  for (const group of groups) {
    const items = (Array.isArray(group) ? group : []).map(weighted);
    const total = items.reduce((sum, { weight }) => sum + weight, 0) * groups.length;
    for (const { text, weight } of items)
      if (text.toLowerCase().startsWith(start)) found.set(text, (found.get(text) ?? 0) + weight / total);
  }
  const share = [...found.values()].reduce((sum, probability) => sum + probability, 0);
  const matches = Array.from(found, ([text, probability]) => ({ text, probability: probability / share }));
  matches.sort((one, other) => other.probability - one.probability);
  return { share, keys, ...sharesOf(matches) };
}

/** An element of a list, or a variant of a composition. */
function weighted(item: unknown): { readonly text: string; readonly weight: number } {
  if (!isObject(item)) return { text: textOf(item), weight: 1 };
  const { value, pattern, weight } = item;
  return {
    text: textOf(value ?? pattern ?? item),
    weight: typeof weight === 'number' ? weight : 1,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the first entries of a sorted list, and the rest as a sum. The end of the value is never in the rest. */
function sharesOf(sorted: readonly Share[]): Shares {
  const shown = sorted.filter(({ text }, index) => index < SHOWN || text === undefined);
  const restCount = sorted.length - shown.length;
  const shownSum = shown.reduce((sum, { probability }) => sum + probability, 0);
  return { shown, restCount, restProbability: restCount === 0 ? 0 : Math.max(0, 1 - shownSum) };
}
