import { useQuery } from '@tanstack/react-query';

import { client } from '../api/client.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import { useEngine } from '../engine/use-engine.js';
import type { CatalogGenerator } from '../engine/worker/messages.js';

export const GENERATORS = ['generators'] as const;

/** The registered compositions of the organisation, one item for each version, the newest first. */
export function useRegisteredGenerators() {
  return useInfiniteList({
    queryKey: GENERATORS,
    load: (api, page, options) => api.generators.list(page, options),
    itemsOf: ({ generators }) => generators,
  });
}

/** @param id with or without a version; undefined loads nothing */
export function useRegisteredGenerator(id: string | undefined) {
  return useQuery({
    queryKey: [...GENERATORS, 'one', id],
    queryFn: ({ signal }) => client.generators.get(id ?? '', { signal }),
    enabled: id !== undefined,
  });
}

/** The generators of the product, as the engine in the browser describes them. */
export function useBuiltinGenerators() {
  const engine = useEngine();
  return useQuery({
    queryKey: ['built-in generators'],
    queryFn: async (): Promise<readonly CatalogGenerator[]> => {
      const response = await engine.ask({ kind: 'catalog' });
      if (response.kind === 'catalog') return response.generators;
      throw new Error(`expected the list of the generators, received ${response.kind}`);
    },
    staleTime: Infinity,
  });
}
