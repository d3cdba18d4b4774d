import { Inject, Injectable, Logger } from '@nestjs/common';
import { addressedTo, answerSubject } from '@understudy/jetstream-transport';
import { SnapshotRunner, snapshotFailureOf, type SnapshotFailure } from '@understudy/snapshot-engine';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import { AgentConnection } from '../../link/agent-connection.js';
import type { ReceivedQuestion } from '../../wire/decode-snapshot-command.js';
import { encodePrecheckResponse } from '../../wire/encode-task-result.js';
import { EgressJournal } from '../../journal/egress-journal.js';
import { openReference } from '../jobs/open-secrets.js';

/** Answers, while the caller waits, what would prevent a restore. */
@Injectable()
export class RestorePrechecks {
  private readonly logger = new Logger(RestorePrechecks.name);

  constructor(
    private readonly runner: SnapshotRunner,
    private readonly connection: AgentConnection,
    private readonly journal: EgressJournal,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /** An answer that would come too late is not sent. */
  async answer({ questionId, question }: ReceivedQuestion): Promise<void> {
    const worthless = AbortSignal.timeout(WORTH_MS);
    const blocker = await this.blocker(question, worthless);
    if (worthless.aborted) {
      this.logger.warn(`no answer to ${questionId} in time`);
      return;
    }
    const subject = answerSubject(this.identity.agentId);
    const { bytes, message } = encodePrecheckResponse(questionId, blocker);
    await this.journal.recordPassing('answer', { subject, bytes, message }, new Date());
    this.connection.current?.publish(subject, bytes, { headers: addressedTo(this.identity.agentId) });
  }

  private async blocker(
    question: ReceivedQuestion['question'],
    signal: AbortSignal,
  ): Promise<SnapshotFailure | undefined> {
    try {
      const purpose = { jobId: question.restoreId, field: 'target' } as const;
      const target = await openReference(question.target, purpose, this.identity);
      return await this.runner.precheckRestore({ ...question, target }, signal);
    } catch (error) {
      return snapshotFailureOf(error);
    }
  }
}

/** The control plane waits five seconds. */
const WORTH_MS = 4_500;
