import { type GenerationMode } from '@understudy/ngram';
import { WeightedPick } from '@understudy/random';
import type { ListSource } from '../../compile/environment.js';
import { ParameterFault, UnsatisfiableFault, withFaultPath } from '../../definition/errors.js';
import { isObject } from '../../definition/json-value.js';
import type { AnyDraw, CountedDraw } from '../../values/node.js';
import type { Parameters } from '../../registry/parameters.js';
import { weightedVariety } from '../../values/variety.js';
import { readListElements } from './list-elements.js';
import { textFilters, type TextFilter } from '../model/text-filters.js';

/** The mode of a model, and the params of the mode. */
export interface Generation {
  readonly mode: GenerationMode;
  readonly params: Parameters;
  /** The path of the mode. */
  readonly path: string;
}

interface ListedText {
  readonly text: string;
  readonly weight: number;
}

/**
 * Draws values of a list by weight, for a model id that refers to a list. In mode `word`, at least one value
 * must meet the constraints. In mode `real_word`, the result is null if no value meets them.
 * @throws ParameterFault
 */
export function listModelDraw(
  source: ListSource,
  { mode, params, path }: Generation,
  constraints: Parameters,
  parameters: Parameters,
): AnyDraw {
  if (mode !== 'word' && mode !== 'real_word') {
    const why = 'this id refers to a list of whole values, which serves only the modes word and real_word';
    throw new ParameterFault(path, `${why}, not ${mode}`);
  }
  if (constraints.boolean('exclude_originals')) {
    throw new UnsatisfiableFault(
      constraints.at('exclude_originals'),
      'leaves no value: this id refers to a list of real values, which cannot produce new ones',
    );
  }
  const filters = [...textFilters(constraints, params), ...prefixOf(params)];
  const texts = readTexts(source, parameters);
  const matching = texts.filter((item) => filters.every(({ keeps }) => keeps(item.text)));
  if (matching.some(({ weight }) => weight > 0)) return weightedDraw(matching, parameters.at('source'));
  if (mode === 'real_word') return () => null;
  const unmet = filters.find(({ keeps }) => !texts.some(({ text, weight }) => weight > 0 && keeps(text)));
  if (unmet !== undefined)
    throw new UnsatisfiableFault(unmet.path, 'no value of the list meets this constraint');
  if (filters.length > 0)
    throw new UnsatisfiableFault(constraints.path, 'no value of the list meets all constraints');
  throw parameters.fault('source', 'no value of the list has a weight above 0');
}

function weightedDraw(texts: readonly ListedText[], path: string): CountedDraw {
  const pick = withFaultPath(path, () => new WeightedPick(texts.map(({ weight }) => weight)));
  return {
    draw: (random) => texts[pick.pick(random)]?.text ?? null,
    variety: () => weightedVariety(weightsByText(texts).values()),
  };
}

function weightsByText(texts: readonly ListedText[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { text, weight } of texts) weights.set(text, (weights.get(text) ?? 0) + weight);
  return weights;
}

function readTexts({ values }: ListSource, parameters: Parameters): ListedText[] {
  const path = parameters.at('source');
  if (isObject(values)) {
    throw new ParameterFault(
      path,
      'is a map of lists; write {"type": "list", "source", "key"} to use one of them',
    );
  }
  const elements = Array.isArray(values) ? readListElements(values, path) : [];
  return elements.map(({ value, weight }) => {
    if (typeof value !== 'string') throw new ParameterFault(path, 'is a list whose values are not all texts');
    return { text: value.normalize('NFC'), weight };
  });
}

/** Returns a filter for the param `prefix` of `real_word`. It applies in addition to `starts_with`. */
function prefixOf(params: Parameters): TextFilter[] {
  if (!params.has('prefix')) return [];
  const prefix = params.string('prefix').normalize('NFC');
  return [{ path: params.at('prefix'), keeps: (text) => text.startsWith(prefix) }];
}
