import { Inject, Injectable, Logger } from '@nestjs/common';
import type { CommandDatabase } from '@understudy/agent-protocol';
import { open, sealingPurpose } from '@understudy/agent-protocol/sealed-box';
import { type DatabaseReference, SyncJobError } from '@understudy/sync-job';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import { AgentOffer } from '../../policy/agent-offer.js';

/** The id of the work for which a URL was sealed, and its side. */
export interface DatabasePurpose {
  /** The id of the job, snapshot or restore. */
  readonly jobId: string;
  readonly field: 'source' | 'target';
}

/** Decides whether this agent may use a database that a command names, and decrypts its URL. */
@Injectable()
export class DatabaseReferences {
  private readonly logger = new Logger(DatabaseReferences.name);

  constructor(
    @Inject(AGENT_IDENTITY) private readonly identity: Pick<AgentIdentity, 'organizationId' | 'sealing'>,
    private readonly offer: AgentOffer,
  ) {}

  /**
   * Opens a database reference. Call this function before any use of the database.
   * @throws SyncJobError `lease_lost` if this agent got the work under another policy or masking key ·
   *   `secret_unreadable` if the URL was not sealed to this agent for this purpose
   */
  async open(reference: CommandDatabase, { jobId, field }: DatabasePurpose): Promise<DatabaseReference> {
    const name = reference.kind === 'agent' ? reference.name : undefined;
    if (reference.offer !== undefined && !this.offer.isAsExpected(name, reference.offer)) {
      this.logger.warn(
        `${jobId}: refused, because the policy for its ${field} or the masking key has changed since this agent got the work`,
      );
      throw new SyncJobError({ code: 'lease_lost' });
    }
    if (reference.kind === 'agent') return { kind: 'agent', name: reference.name };
    const purpose = sealingPurpose({ organizationId: this.identity.organizationId, jobId, field });
    try {
      const url = await open(this.identity.sealing.privateKey, reference, purpose);
      return { kind: 'url', url: new TextDecoder('utf-8', { fatal: true }).decode(url) };
    } catch (cause) {
      throw new SyncJobError({ code: 'secret_unreadable', side: field }, { cause });
    }
  }
}
