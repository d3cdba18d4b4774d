import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AgentLinkService } from '../../agent-link/connection/agent-link.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { AgentEntity } from '../agent.entity.js';
import { ConcurrencyLimit } from '../credentials/concurrency-limit.js';
import { decideRenewal, type Renewal, type RenewingProcess } from './decide-renewal.js';

/** Ensures that only one process at a time uses the identity of an agent. */
@Injectable()
export class AgentInstances {
  private readonly logger = new Logger(AgentInstances.name);
  /** If many agents start at the same time, other requests need database connections too. */
  private readonly transactions = new ConcurrencyLimit(8);

  constructor(
    private readonly dataSource: DataSource,
    private readonly link: AgentLinkService,
  ) {}

  /**
   * Returns the time that the next JWT of a process must contain. If the process takes the identity over, closes the
   * connections of older processes first.
   * @throws ApiError `conflict` if another process has taken the identity over
   */
  async admit(agentId: string, process: RenewingProcess, now: Date): Promise<Date> {
    const renewal = await this.transactions.run(() => this.decide(agentId, process, now));
    if (renewal === undefined) {
      this.logger.warn(`agent ${agentId}: refused a process, because a newer process uses its identity`);
      throw new ApiError(
        'conflict',
        'Another process uses the identity of this agent. Run one process for each state folder, and never copy the folder.',
      );
    }
    if (process.takesOver) await this.disconnectOlder(agentId);
    return renewal.issuedAt;
  }

  private decide(agentId: string, process: RenewingProcess, now: Date): Promise<Renewal | undefined> {
    return this.dataSource.transaction(async (manager) => {
      // The lock orders concurrent renewals of an agent, so that the newest JWT is known.
      const lock = { mode: 'pessimistic_write' } as const;
      const agent = await manager.findOneOrFail(AgentEntity, { where: { id: agentId }, lock });
      const decided = decideRenewal(agent, process, now);
      if (decided === undefined) await manager.update(AgentEntity, agentId, { lastConflictAt: now });
      else {
        const since = decided.outcome === 'taken_over' ? { instanceSince: now } : {};
        await manager.update(AgentEntity, agentId, { ...decided.next, ...since });
      }
      return decided;
    });
  }

  /** Also runs if the request is repeated, because the server may have failed before the first push. */
  private async disconnectOlder(agentId: string): Promise<void> {
    if (!this.link.isConnected()) return; // the link pushes all revocations when it connects
    await this.link
      .pushRevocations()
      .catch((error: unknown) =>
        this.logger.error(`could not disconnect older processes of the agent ${agentId}: ${String(error)}`),
      );
  }
}
