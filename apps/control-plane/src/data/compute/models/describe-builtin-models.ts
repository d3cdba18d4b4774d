import type { BuiltinModel } from '@understudy/builtin-models';
import { builtinModels } from '@understudy/builtin-models/node';
import { readModel } from '@understudy/ngram';

import { constraintsOf, describeModel, NO_VARIETY, type ModelDescription } from './describe-model.js';

export interface BuiltinModelDescription extends ModelDescription {
  readonly id: string;
  readonly name: string;
  readonly kind: BuiltinModel['kind'];
}

/**
 * Describes all built-in models in the order of their ids. Reads all their files, so do not call this function on the
 * event loop.
 */
export function describeBuiltinModels(): BuiltinModelDescription[] {
  return builtinModels.all().map((model) => {
    const { id, name, kind } = model;
    const file = builtinModels.readModel(id);
    return { id, name, kind, ...(file ? describeModel(readModel(file)) : describeOther(model)) };
  });
}

/** Describes a list or a composition, which have no n-grams. */
function describeOther(model: BuiltinModel): ModelDescription {
  const { locale, licence, source, items = 0 } = model;
  const facts = {
    licence,
    source,
    modes: modesOf(model),
    constraints: model.buckets === undefined ? constraintsOf(false) : [],
    keys: model.buckets === undefined ? null : Object.keys(builtinModels.readAsset(model.id) as object),
    distinct_values: items,
    total_weight: null,
    min_values: null,
    ...NO_VARIETY,
  };
  return { locale, ngramOrder: null, tokenType: null, tokenCount: null, ngramCount: null, facts };
}

/** Returns the modes of `type: model` that a model supports. A map of lists supports none, because it needs a key. */
function modesOf({ kind, buckets }: BuiltinModel): readonly string[] {
  if (kind === 'composition') return ['word'];
  return buckets === undefined ? ['word', 'real_word'] : [];
}
