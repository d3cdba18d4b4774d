import { Controller, Inject, Logger } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import {
  encodePrecheckResponse,
  type RestorePrecheck,
  type SnapshotFailure,
} from '@understudy/agent-protocol';
import { addressedTo, answerSubject } from '@understudy/agent-protocol/transport';
import { SnapshotRunner, snapshotFailureOf } from '@understudy/snapshot-engine';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import { AgentConnection } from '../../link/agent-connection.js';
import { EgressJournal } from '../../journal/egress-journal.js';
import { DatabaseReferences } from '../jobs/database-references.js';

/** Checks in advance whether a restore is possible, while the caller of the API waits. */
@Controller()
export class RestorePrechecks {
  private readonly logger = new Logger(RestorePrechecks.name);

  constructor(
    private readonly runner: SnapshotRunner,
    private readonly connection: AgentConnection,
    private readonly journal: EgressJournal,
    private readonly databases: DatabaseReferences,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /** Runs the check and sends the response. Sends nothing if the check takes too long. */
  @EventPattern('precheck_restore')
  async run(@Payload() { id, precheck }: { id: string; precheck: RestorePrecheck }): Promise<void> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const blocker = await this.blocker(precheck, deadline);
    if (deadline.aborted) {
      this.logger.warn(`the pre-check ${id} took too long and is not answered`);
      return;
    }
    const subject = answerSubject(this.identity.agentId);
    const { bytes, message } = encodePrecheckResponse(id, blocker);
    await this.journal.recordPassing('answer', { subject, bytes, message }, new Date());
    this.connection.current?.publish(subject, bytes, { headers: addressedTo(this.identity.agentId) });
  }

  private async blocker(
    precheck: RestorePrecheck,
    signal: AbortSignal,
  ): Promise<SnapshotFailure | undefined> {
    try {
      const purpose = { jobId: precheck.restoreId, field: 'target' } as const;
      const target = await this.databases.open(precheck.target, purpose);
      return await this.runner.precheckRestore({ ...precheck, target }, signal);
    } catch (error) {
      return snapshotFailureOf(error);
    }
  }
}

/** Shorter than the five seconds for which the control plane waits. */
const DEADLINE_MS = 4_500;
