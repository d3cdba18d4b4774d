import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

import { AgentLinkService } from '../agent-link/connection/agent-link.service.js';
import { runEach } from '../job-queue/run-each.js';
import { Configuration } from '../config/configuration.js';
import { RepeatingTask } from '../job-queue/repeating-task.js';

/** How many of a kind are sent at once. */
const BATCH = 100;

/**
 * What agents are to do however long it takes: a row in a table of its feature, written with the change that asks for it, which goes when an
 * agent has answered. Unlike leased work nobody waits for it and it has no progress; agents carry it out twice as they do once.
 */
export interface AgentErrand<Due> {
  /**
   * Those to be sent now, the oldest first. One that was sent is due again after a while: its command may have been lost with NATS's store, or
   * have grown too old in it while its agent was away.
   */
  due(limit: number): Promise<readonly Due[]>;
  /** Resolves when the command is in JetStream's store and the row says so, or when there is nothing to be sent any more. */
  send(due: Due): Promise<void>;
}

/** Sends the errands of all features until they are answered, through outages of NATS and for as long as every agent is away. */
@Injectable()
export class AgentErrands implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly errands: AgentErrand<unknown>[] = [];
  private readonly task: RepeatingTask;

  constructor(
    private readonly link: AgentLinkService,
    { syncJobs }: Configuration,
  ) {
    const logger = new Logger(AgentErrands.name);
    this.task = new RepeatingTask(syncJobs.reconcileMs, () => this.sendDue(), logger);
  }

  /** Before the application has started. */
  register<Due>(errand: AgentErrand<Due>): void {
    this.errands.push(errand);
  }

  /** After the commit of a new one, so that it need not wait for the next look. */
  wake(): void {
    this.task.wake();
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.task.stop();
  }

  private sendDue(): Promise<void> {
    return runEach(this.errands, async (errand) => {
      const due = await errand.due(BATCH);
      if (this.link.isConnected()) await runEach(due, (one) => errand.send(one));
    });
  }
}
