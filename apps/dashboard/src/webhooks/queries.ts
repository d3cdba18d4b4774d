import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '@understudy/client';

import { client } from '../api/client.js';
import { usePolling } from '../api/polling.js';
import { toastProblem } from '../api/query-state.js';
import { useInfiniteList } from '../api/use-infinite-list.js';
import { SPANS, type DeliveryFilters } from './delivery-filters.js';

export const WEBHOOKS = ['webhooks'] as const;
const HOUR_MS = 3_600_000;

/** All webhooks. An organisation can have 20. */
export function useWebhooks() {
  return useQuery({
    queryKey: WEBHOOKS,
    queryFn: ({ signal }) => client.webhooks.list({ per_page: 100 }, { signal }),
  });
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: [...WEBHOOKS, id],
    queryFn: ({ signal }) => client.webhooks.get(id, { signal }),
  });
}

export function useDeliveries(id: string, { status, event, within }: DeliveryFilters) {
  return useInfiniteList({
    queryKey: [...WEBHOOKS, id, 'deliveries', { status, event, within }],
    load: (api, page, options) =>
      api.webhooks.listDeliveries(
        id,
        {
          ...page,
          status,
          event,
          ...(within && { created_after: new Date(Date.now() - SPANS[within] * HOUR_MS).toISOString() }),
        },
        options,
      ),
    itemsOf: ({ deliveries }) => deliveries,
  });
}

/** One delivery with its request. It is loaded again while an attempt is planned. */
export function useDelivery(id: string) {
  return usePolling({
    queryKey: ['webhook-deliveries', id],
    call: (api, options) => api.webhooks.getDelivery(id, options),
    liveness: ({ status, attempts }) => {
      if (status !== 'pending') return 'ended';
      return attempts === 0 ? 'running' : 'pending';
    },
  });
}

/** The state of a delivery that was just created, until its first attempt has ended. */
export function useFirstAttempt(delivery: WebhookDelivery | undefined, onEnd: () => void) {
  return usePolling({
    queryKey: ['webhook-deliveries', delivery?.id ?? '', 'first'],
    call: async (api, options) => {
      const result = await api.webhooks.getDelivery(delivery?.id ?? '', options);
      if (result.attempts > 0 || result.status !== 'pending') onEnd();
      return result;
    },
    liveness: ({ status, attempts }) => (status === 'pending' && attempts === 0 ? 'running' : 'ended'),
    enabled: delivery !== undefined,
  });
}

/** Changes that need no dialog. All lists of webhooks are loaded again after each of them. */
export function useWebhookChanges() {
  const cache = useQueryClient();
  const onSettled = () => cache.invalidateQueries({ queryKey: WEBHOOKS });
  const onError = toastProblem;
  return {
    reload: () => void onSettled(),
    enable: useMutation({
      mutationFn: (id: string) => client.webhooks.change(id, { enabled: true }),
      onSettled,
      onError,
    }),
    test: useMutation({ mutationFn: (id: string) => client.webhooks.test(id), onSettled, onError }),
    resend: useMutation({
      mutationFn: (id: string) => client.webhooks.resendDelivery(id),
      onSettled,
      onError,
    }),
  };
}
