import { type GenerationMode } from '@understudy/ngram';
import { WeightedPick } from '@understudy/random';
import type { ListSource } from '../../compile/environment.js';
import { ParameterFault, withFaultPath } from '../../definition/errors.js';
import { isObject } from '../../definition/json-value.js';
import type { AnyDraw, CountedDraw } from '../../values/node.js';
import type { Parameters } from '../../registry/parameters.js';
import { weightedVariety } from '../../values/variety.js';
import { readListElements } from './list-elements.js';
import { textFilters, type TextFilter } from '../model/text-filters.js';

/** How a model is asked for text. */
export interface Generation {
  readonly mode: GenerationMode;
  readonly params: Parameters;
  /** Where the mode itself stands. */
  readonly path: string;
}

interface ListedText {
  readonly text: string;
  readonly weight: number;
}

/**
 * Draws from a list as from a model, by weight: its values are those that a model of them would be trained on. `word`
 * must find one under its constraints; `real_word` is null where there is none.
 * @throws ParameterFault
 */
export function listModelDraw(
  source: ListSource,
  { mode, params, path }: Generation,
  constraints: Parameters,
  parameters: Parameters,
): AnyDraw {
  if (mode !== 'word' && mode !== 'real_word') {
    const why = 'this id stands for a list of whole values, which serves the modes word and real_word';
    throw new ParameterFault(path, `${why}, and not ${mode}`);
  }
  if (constraints.boolean('exclude_originals')) {
    throw constraints.fault(
      'exclude_originals',
      'leaves nothing: this id stands for a list of real values, from which no new ones are made',
    );
  }
  const filters = [...textFilters(constraints, params), ...prefixOf(params)];
  const texts = readTexts(source, parameters);
  const matching = texts.filter((item) => filters.every(({ keeps }) => keeps(item.text)));
  if (matching.some(({ weight }) => weight > 0)) return weightedDraw(matching, parameters.at('source'));
  if (mode === 'real_word') return () => null;
  const alone = filters.find(({ keeps }) => !texts.some(({ text, weight }) => weight > 0 && keeps(text)));
  const place = alone?.path ?? (filters.length > 0 ? constraints.path : parameters.at('source'));
  const together = alone === undefined && filters.length > 0 ? 'together with the other constraints ' : '';
  throw new ParameterFault(place, `no value of the list is left ${together}`.trimEnd());
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
      'is a map of lists: write {"type": "list", "source", "key"} for one of them',
    );
  }
  const elements = Array.isArray(values) ? readListElements(values, path) : [];
  return elements.map(({ value, weight }) => {
    if (typeof value !== 'string') throw new ParameterFault(path, 'is a list of values that are no texts');
    return { text: value.normalize('NFC'), weight };
  });
}

/** Of `real_word`, beside `starts_with`. */
function prefixOf(params: Parameters): TextFilter[] {
  if (!params.has('prefix')) return [];
  const prefix = params.string('prefix').normalize('NFC');
  return [{ path: params.at('prefix'), keeps: (text) => text.startsWith(prefix) }];
}
