import { useQuery } from '@tanstack/react-query';
import type { Model, PrivateModel } from '@understudy/client';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import type { ModelFilters } from './model-filters.js';

export const MODELS = ['models'] as const;

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

export function isPrivate(model: Model | PrivateModel): model is PrivateModel {
  return model.type === 'private';
}
