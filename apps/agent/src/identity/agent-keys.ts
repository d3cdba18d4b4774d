import type { EngineKeys } from '@understudy/sync-engine';

/** Keys that never leave the agent. */
export type AgentKeys = EngineKeys;

/** Injection token of the agent's {@link AgentKeys}. */
export const AGENT_KEYS = Symbol('AgentKeys');
