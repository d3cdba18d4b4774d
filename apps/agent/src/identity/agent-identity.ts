import type { SealingKeyPair } from '@understudy/agent-protocol/sealed-box';

/** The ids and keys of this agent. Everything except the ids and public keys is secret and stays on the machine. */
export interface AgentIdentity {
  readonly agentId: string;
  readonly organizationId: string;
  /** NATS addresses that the control plane returned at enrolment. */
  readonly natsUrls: readonly string[];
  /** Starts with `SU`. */
  readonly natsSeed: string;
  readonly sealing: SealingKeyPair;
  /** This key and the next one never leave the agent. */
  readonly maskingKey: Uint8Array;
  readonly modelKey: Uint8Array;
}

/** The keys of an agent that is not enrolled yet. */
export type UnenrolledIdentity = Omit<AgentIdentity, 'agentId' | 'organizationId' | 'natsUrls'>;

/** Injection token of the {@link AgentIdentity}. */
export const AGENT_IDENTITY = Symbol('AgentIdentity');
