import type { SealingKeyPair } from '@understudy/sealed-box';
import type { EngineKeys } from '@understudy/sync-engine';

/** Who this agent is. All of it but the ids and public keys is secret and never leaves the machine. */
export interface AgentIdentity {
  readonly agentId: string;
  readonly organizationId: string;
  /** What the control plane said to dial. */
  readonly natsUrls: readonly string[];
  /** `SU…` */
  readonly natsSeed: string;
  readonly sealing: SealingKeyPair;
  readonly maskingKey: Uint8Array;
  readonly modelKey: Uint8Array;
}

/** Before enrolment: the keys exist, the ids do not. */
export type UnenrolledIdentity = Omit<AgentIdentity, 'agentId' | 'organizationId' | 'natsUrls'>;

/** Injection token of the {@link AgentIdentity}. */
export const AGENT_IDENTITY = Symbol('AgentIdentity');

/** Keys that never leave the agent. */
export type AgentKeys = EngineKeys;

/** Injection token of the agent's {@link AgentKeys}. */
export const AGENT_KEYS = Symbol('AgentKeys');
