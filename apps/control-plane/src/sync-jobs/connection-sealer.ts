import { Injectable } from '@nestjs/common';
import { seal, sealingPurpose } from '@understudy/sealed-box';

import { AgentsService } from '../agents/agents.service.js';
import { ApiError } from '../http/api-error.js';
import type { ConnectionString } from './connection-string.js';
import type { JobDatabase } from './sync-job.js';

/** Turns connection strings into what may be stored: a name, or boxes that only the organisation's agents can open. */
@Injectable()
export class ConnectionSealer {
  constructor(private readonly agents: AgentsService) {}

  /** @throws ApiError `conflict` when a URL has nobody to be sealed to */
  async seal(
    job: { readonly organizationId: string; readonly jobId: string },
    databases: { readonly source: ConnectionString; readonly target: ConnectionString },
  ): Promise<{ source: JobDatabase; target: JobDatabase }> {
    const needsKeys = [databases.source, databases.target].some(({ kind }) => kind === 'url');
    const agents = needsKeys ? await this.agents.enrolledAgents(job.organizationId) : [];
    if (needsKeys && agents.length === 0) throw new ApiError('conflict', NO_AGENT);
    const boxed = async (field: 'source' | 'target'): Promise<JobDatabase> => {
      const database = databases[field];
      if (database.kind === 'agent') return { kind: 'agent', name: database.name };
      const plaintext = new TextEncoder().encode(database.secret);
      const copies = agents.map(async ({ id, sealingPublicKey }) => {
        const box = await seal(sealingPublicKey, plaintext, sealingPurpose({ ...job, field }));
        return [
          id,
          { encapsulated_key: base64(box.encapsulatedKey), ciphertext: base64(box.ciphertext) },
        ] as const;
      });
      return { kind: 'sealed', by_agent: Object.fromEntries(await Promise.all(copies)) };
    };
    return { source: await boxed('source'), target: await boxed('target') };
  }
}

const NO_AGENT =
  "A connection URL is sealed to the agents of the organisation, and none is enrolled yet. Enrol one first, or use agent:<name> with a database that the agent's policy file names.";

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
