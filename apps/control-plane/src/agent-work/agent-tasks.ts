import { Injectable } from '@nestjs/common';

import { AgentLinkService } from '../agent-link/connection/agent-link.service.js';
import { runEach } from '../job-queue/run-each.js';
import { Configuration } from '../config/configuration.js';
import { RepeatingService } from '../job-queue/repeating-task.js';

/** How many of a kind are sent at once. */
const BATCH = 100;

/**
 * A command that is resent until an agent acknowledges it. It is a row in a table of its feature: written in the transaction of the change
 * that causes it, deleted on acknowledgement. Unlike leased work it has no progress and no waiting caller; agents must be able to repeat it.
 */
export interface AgentTask<Due> {
  /**
   * Those to be sent now, the oldest first. One that was sent is due again after a while: its command may have been lost with NATS's store, or
   * have grown too old in it while its agent was away.
   */
  due(limit: number): Promise<readonly Due[]>;
  /** Resolves when the command is in JetStream's store and the row says so, or when there is nothing to be sent any more. */
  send(due: Due): Promise<void>;
}

/** Sends the tasks of all features until agents have acknowledged them, through outages of NATS and of all agents. */
@Injectable()
export class AgentTasks extends RepeatingService {
  private readonly tasks: AgentTask<unknown>[] = [];

  constructor(
    private readonly link: AgentLinkService,
    { syncJobs }: Configuration,
  ) {
    super(syncJobs.reconcileMs);
  }

  /** Before the application has started. */
  register<Due>(task: AgentTask<Due>): void {
    this.tasks.push(task);
  }

  protected runTask(): Promise<void> {
    return runEach(this.tasks, async (task) => {
      const due = await task.due(BATCH);
      if (this.link.isConnected()) await runEach(due, (one) => task.send(one));
    });
  }
}
