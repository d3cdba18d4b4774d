import { Injectable } from '@nestjs/common';
import { seal, sealingPurpose } from '@understudy/sealed-box';

import { AgentsService } from '../agents/agents.service.js';
import { ApiError } from '../http/api-error.js';
import type { AgentDatabase } from './agent-database.js';
import type { ConnectionString } from './connection-string.js';

/** Turns connection strings into what may be stored: a name, or boxes that only the organisation's agents can open. */
@Injectable()
export class ConnectionSealer {
  constructor(private readonly agents: AgentsService) {}

  /**
   * @param work whose agent may open them: a box is for it alone
   * @throws ApiError `conflict` when a URL has nobody to be sealed to
   */
  async seal<Side extends 'source' | 'target'>(
    work: { readonly organizationId: string; readonly jobId: string },
    databases: Readonly<Record<Side, ConnectionString>>,
  ): Promise<Record<Side, AgentDatabase>> {
    const given = Object.entries(databases) as [Side, ConnectionString][];
    const needsKeys = given.some(([, { kind }]) => kind === 'url');
    const agents = needsKeys ? await this.agents.enrolledAgents(work.organizationId) : [];
    if (needsKeys && agents.length === 0) throw new ApiError('conflict', NO_AGENT);
    const boxed = async (field: Side, database: ConnectionString): Promise<AgentDatabase> => {
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
    const sealed = given.map(async ([field, database]) => [field, await boxed(field, database)] as const);
    return Object.fromEntries(await Promise.all(sealed)) as Record<Side, AgentDatabase>;
  }
}

const NO_AGENT =
  "A connection URL is sealed to the agents of the organisation, and none is enrolled yet. Enrol one first, or use agent:<name> with a database that the agent's policy file names.";

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
