import { Injectable } from '@nestjs/common';

import { AgentLinkService } from '../agent-link/connection/agent-link.service.js';
import { runEach } from '../../platform/job-queue/run-each.js';
import { Configuration } from '../../platform/config/configuration.js';
import { RepeatingService } from '../../platform/job-queue/repeating-task.js';

/** The maximum number of tasks of one kind that one run sends. */
const BATCH = 100;

/**
 * A kind of command that is resent until an agent acknowledges it. Each task is one command, stored as a row
 * in a table of the feature that registers this kind. A transaction that requires a command inserts the row.
 * An acknowledgement deletes the row. Unlike leased work, a task reports no progress, and no caller waits for
 * it. An agent may run a task twice, so repeating it must be harmless.
 */
export interface AgentTask<Due> {
  /**
   * Returns the tasks to send now, the oldest first. A sent task is due again after a while, because its command may
   * be lost: NATS may lose its store, or the command may expire while the agent is disconnected.
   */
  due(limit: number): Promise<readonly Due[]>;
  /**
   * Sends the command of a task. After JetStream has stored the command, stores the time in the task's row.
   * Sends nothing if the task no longer exists, or if no agent can receive the command now.
   */
  send(due: Due): Promise<void>;
}

/**
 * Sends the commands of all agent tasks repeatedly until agents acknowledge them. An outage of NATS or of an
 * agent only delays a task.
 */
@Injectable()
export class AgentTasks extends RepeatingService {
  private readonly tasks: AgentTask<unknown>[] = [];

  constructor(
    private readonly link: AgentLinkService,
    { syncJobs }: Configuration,
  ) {
    super(syncJobs.reconcileMs);
  }

  /** Adds a kind of task. Call this method before the application has started. */
  register<Due>(task: AgentTask<Due>): void {
    this.tasks.push(task);
  }

  protected runTask(): Promise<void> {
    return runEach(this.tasks, async (task) => {
      const due = await task.due(BATCH);
      if (this.link.isReady()) await runEach(due, (one) => task.send(one));
    });
  }
}
