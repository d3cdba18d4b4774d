import { useMutation, useQuery } from '@tanstack/react-query';
import type { Agent, EnrolmentToken, ListAgentsResult } from '@understudy/client';

import { client } from '../api/client.js';
import { type Liveness, usePolling } from '../api/polling.js';

const KEYS = ['agents'] as const;

/** An agent that is not revoked sends heartbeats, so what is known of it changes within seconds. */
const livenessOf = ({ status }: Agent): Liveness => (status === 'revoked' ? 'ended' : 'pending');

/** The first 100 agents. An organisation has fewer than that in practice; the page states if there are more. */
export function useAgents() {
  return usePolling<ListAgentsResult>({
    queryKey: KEYS,
    call: (api, options) => api.agents.list({ per_page: 100 }, options),
    liveness: ({ agents }) => (agents.some((agent) => livenessOf(agent) === 'pending') ? 'pending' : 'ended'),
  });
}

export function useAgent(id: string) {
  return usePolling<Agent>({
    queryKey: [...KEYS, id],
    call: (api, options) => api.agents.get(id, options),
    liveness: livenessOf,
  });
}

/** The models that an agent trained: names, hashes and times. */
export function useAgentModels(id: string) {
  return useQuery({
    queryKey: [...KEYS, id, 'models'],
    queryFn: ({ signal }) => client.agents.listModels(id, { per_page: 100 }, { signal }),
  });
}

/** Waits until an agent has used an enrolment token. */
export function useEnrolment(id: string) {
  return usePolling<EnrolmentToken>({
    queryKey: ['enrolment-tokens', id],
    call: (api, options) => api.enrolmentTokens.get(id, options),
    liveness: ({ status }) => (status === 'unused' ? 'running' : 'ended'),
  });
}

export function useCreateEnrolmentToken() {
  return useMutation({ mutationFn: () => client.enrolmentTokens.create() });
}
