import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Model, PrivateModel, UploadModelRequest } from '@understudy/client';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import type { ModelFilters } from './model-filters.js';

const KEYS = ['models'] as const;
/** The number of sample values that the page of a model shows. */
const SAMPLES = 24;

export function useModels({ type = 'builtin', kind, locale }: ModelFilters) {
  return useInfiniteList({
    queryKey: [...KEYS, { type, kind, locale }],
    load: (api, page, options) => api.models.list({ ...page, type, kind, locale }, options),
    itemsOf: ({ models }) => models,
  });
}

export function useModel(id: string) {
  return useQuery({
    queryKey: [...KEYS, 'one', id],
    queryFn: ({ signal }) => client.models.get(id, { signal }),
  });
}

/** Values that the server generates from a model. The same seed gives the same values. */
export function useSamples(id: string, seed: number) {
  return useQuery({
    queryKey: [...KEYS, 'samples', id, seed],
    queryFn: async ({ signal }) => {
      const schema = { generators: { value: { type: 'model', source: id } }, output: ['value'] };
      const records = await client.generate(schema, SAMPLES, { seed, signal });
      return records.map(({ value }) => String(value));
    },
    staleTime: Infinity,
  });
}

export function useModelChanges() {
  const cache = useQueryClient();
  const onSettled = () => cache.invalidateQueries({ queryKey: KEYS });
  return {
    upload: useMutation({ mutationFn: (body: UploadModelRequest) => client.models.upload(body), onSettled }),
    remove: useMutation({ mutationFn: (id: string) => client.models.delete(id), onSettled }),
  };
}

export function isPrivate(model: Model | PrivateModel): model is PrivateModel {
  return model.type === 'private';
}
