import { BY_URL, byName, type CommandDatabase } from '@understudy/agent-protocol';

import type { AgentRequirement } from '../choice/agent-requirement.js';

/** A reference to a database in the form that may be stored: a name, or a URL that is sealed to agents. */
export type AgentDatabase =
  | { readonly kind: 'agent'; readonly name: string }
  /** One sealed copy (base64) for each agent that could run the work when the work was accepted. */
  | { readonly kind: 'sealed'; readonly by_agent: Readonly<Record<string, SealedCopy>> };

export interface SealedCopy {
  readonly encapsulated_key: string;
  readonly ciphertext: string;
}

/**
 * Converts a stored database reference to the form that a command to one agent contains.
 * @param requires the requirement of the work, whose fingerprints the command contains
 * @throws Error if the connection string is not sealed to this agent; call `mismatchOf` first
 */
export function toCommandDatabase(
  database: AgentDatabase,
  agentId: string,
  { maskingKey, policies }: AgentRequirement,
): CommandDatabase {
  const policy = policies?.[database.kind === 'agent' ? byName(database.name) : BY_URL];
  const expected = policy === undefined || maskingKey === undefined ? {} : { offer: { policy, maskingKey } };
  if (database.kind === 'agent') return { kind: 'agent', name: database.name, ...expected };
  const copy = database.by_agent[agentId];
  if (!copy) throw new Error(`the connection string is not sealed to agent ${agentId}`);
  return {
    kind: 'sealed',
    encapsulatedKey: new Uint8Array(Buffer.from(copy.encapsulated_key, 'base64')),
    ciphertext: new Uint8Array(Buffer.from(copy.ciphertext, 'base64')),
    ...expected,
  };
}

/** Removes the sealed URL. Call this function when work has ended, because no agent runs this work again. */
export function withoutSecret(database: AgentDatabase): AgentDatabase {
  return database.kind === 'sealed' ? { kind: 'sealed', by_agent: {} } : database;
}
