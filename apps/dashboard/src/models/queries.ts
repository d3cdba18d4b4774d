import { useQuery } from '@tanstack/react-query';
import type { Model, PrivateModel } from '@understudy/client';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import type { ModelFilters } from './model-filters.js';

export const MODELS = ['models'] as const;
/** The number of sample values that the page of a model shows. */
const SAMPLES = 24;

export function useModels({ type = 'builtin', kind, locale }: ModelFilters) {
  return useInfiniteList({
    queryKey: [...MODELS, { type, kind, locale }],
    load: (api, page, options) => api.models.list({ ...page, type, kind, locale }, options),
    itemsOf: ({ models }) => models,
  });
}

export function useModel(id: string) {
  return useQuery({
    queryKey: [...MODELS, 'one', id],
    queryFn: ({ signal }) => client.models.get(id, { signal }),
  });
}

/** Values that the server generates from a model. The same seed gives the same values. */
export function useSamples(id: string, seed: number) {
  return useQuery({
    queryKey: [...MODELS, 'samples', id, seed],
    queryFn: async ({ signal }) => {
      const schema = { generators: { value: { type: 'model', source: id } }, output: ['value'] };
      const records = await client.generate(schema, SAMPLES, { seed, signal });
      return records.map(({ value }) => String(value));
    },
    staleTime: Infinity,
  });
}

export function isPrivate(model: Model | PrivateModel): model is PrivateModel {
  return model.type === 'private';
}
