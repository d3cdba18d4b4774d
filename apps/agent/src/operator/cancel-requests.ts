import { Injectable, Logger } from '@nestjs/common';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { JobsInBackground } from '../work/jobs/jobs-in-background.js';
import { Leases } from '../work/leases/leases.js';
import {
  type CancelRequest,
  listCancelRequests,
  removeRequest,
  sweepRequests,
  writeOutcome,
} from './request-files.js';

/** Cancels work that `understudy-agent cancel` names, also while the link to the control plane is down. */
@Injectable()
export class CancelRequests {
  private readonly logger = new Logger(CancelRequests.name);
  private readonly ignored = new Set<string>();

  constructor(
    private readonly configuration: AgentConfiguration,
    private readonly leases: Leases,
    private readonly jobs: JobsInBackground,
  ) {}

  /** Handles all requests in the folder. */
  async handle(): Promise<void> {
    const { stateDir } = this.configuration;
    await sweepRequests(stateDir, new Date());
    for (const request of await listCancelRequests(stateDir, (name, reason) => this.ignore(name, reason)))
      if (await removeRequest(stateDir, request.id)) this.cancel(request);
  }

  private cancel({ id, workId }: CancelRequest): void {
    const ended = this.jobs.endOf(workId);
    this.leases.cancel(workId);
    this.logger.log(
      ended === undefined
        ? `the operator asked to cancel ${workId}, which does not run here`
        : `the operator cancels ${workId}`,
    );
    void Promise.resolve(ended ?? 'unknown_job')
      .then((outcome) => writeOutcome(this.configuration.stateDir, id, outcome))
      .catch((error: unknown) => this.logger.error(`the outcome could not be recorded: ${String(error)}`));
  }

  /** Logs each file once. A hostile folder cannot fill the memory or the log. */
  private ignore(name: string, reason: string): void {
    if (this.ignored.has(name) || this.ignored.size >= MAX_IGNORED) return;
    this.ignored.add(name);
    this.logger.warn(`ignored a file in the folder of requests: ${JSON.stringify(name)}: ${reason}`);
  }
}

const MAX_IGNORED = 100;
