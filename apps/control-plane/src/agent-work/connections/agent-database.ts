import type { CommandDatabase } from '../../agent-link/messages/sync-job-command.js';

/** A database that agents are to open, as it may be stored. */
export type AgentDatabase =
  | { readonly kind: 'agent'; readonly name: string }
  /** One box for each agent that could run the work when it was accepted; base64. */
  | { readonly kind: 'sealed'; readonly by_agent: Readonly<Record<string, SealedCopy>> };

export interface SealedCopy {
  readonly encapsulated_key: string;
  readonly ciphertext: string;
}

/** @throws Error when the connection string was not sealed to this agent: ask `mismatchOf` before */
export function toCommandDatabase(database: AgentDatabase, agentId: string): CommandDatabase {
  if (database.kind === 'agent') return { kind: 'agent', name: database.name };
  const copy = database.by_agent[agentId];
  if (!copy) throw new Error('no sealed copy for this agent');
  return {
    kind: 'sealed',
    encapsulatedKey: new Uint8Array(Buffer.from(copy.encapsulated_key, 'base64')),
    ciphertext: new Uint8Array(Buffer.from(copy.ciphertext, 'base64')),
  };
}

/** Of work that ended: nobody opens a sealed URL any more, so none is kept. */
export function withoutSecret(database: AgentDatabase): AgentDatabase {
  return database.kind === 'sealed' ? { kind: 'sealed', by_agent: {} } : database;
}
