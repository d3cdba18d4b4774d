import { seal, sealingPurpose } from '@understudy/agent-protocol/sealed-box';

import type { EnrolledAgent } from '../../registry/agents.service.js';
import type { AgentDatabase } from './agent-database.js';

/** The name of an agent's database, or a URL that must be sealed immediately and not stored. */
export type OpenConnection =
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'url'; readonly secret: string };

/**
 * Converts connections to a form that may be stored: a name, or sealed copies that only the given agents can
 * open.
 * @param work the only work for which an agent can open the sealed copies
 */
export async function sealConnections<Side extends 'source' | 'target'>(
  work: { readonly organizationId: string; readonly jobId: string },
  databases: Readonly<Record<Side, OpenConnection>>,
  agents: readonly Pick<EnrolledAgent, 'id' | 'sealingPublicKey'>[],
): Promise<Record<Side, AgentDatabase>> {
  const sealOne = async (field: Side, database: OpenConnection): Promise<AgentDatabase> => {
    if (database.kind === 'agent') return { kind: 'agent', name: database.name };
    const plaintext = new TextEncoder().encode(database.secret);
    const copies = agents.map(async ({ id, sealingPublicKey }) => {
      const box = await seal(sealingPublicKey, plaintext, sealingPurpose({ ...work, field }));
      return [
        id,
        { encapsulated_key: base64(box.encapsulatedKey), ciphertext: base64(box.ciphertext) },
      ] as const;
    });
    return { kind: 'sealed', by_agent: Object.fromEntries(await Promise.all(copies)) };
  };
  const given = Object.entries(databases) as [Side, OpenConnection][];
  const sealed = given.map(async ([field, database]) => [field, await sealOne(field, database)] as const);
  return Object.fromEntries(await Promise.all(sealed)) as Record<Side, AgentDatabase>;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
