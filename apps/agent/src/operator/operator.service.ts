import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import { AgentConnection } from '../link/agent-connection.js';
import { AGENT_VERSION, HeartbeatService } from '../work/leases/heartbeat.service.js';
import { JobSlots } from '../work/leases/job-slots.js';
import { Leases, type RunningLease } from '../work/leases/leases.js';
import { CancelRequests } from './cancel-requests.js';
import { type AgentStatus, type JobStatus, removeStatus, writeStatus } from './status-file.js';

/** Serves the commands of the operator every 2 s: writes the status file and handles cancel requests. */
@Injectable()
export class OperatorService implements OnApplicationShutdown {
  private readonly logger = new Logger(OperatorService.name);
  private readonly startedAt = new Date();
  private timer: NodeJS.Timeout | undefined;
  private serving: Promise<void> | undefined;

  constructor(
    private readonly configuration: AgentConfiguration,
    private readonly requests: CancelRequests,
    private readonly connection: AgentConnection,
    private readonly heartbeat: HeartbeatService,
    private readonly leases: Leases,
    private readonly slots: JobSlots,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  async start(): Promise<void> {
    await this.serve();
    this.timer = setInterval(() => void this.serve(), PERIOD_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.serving;
    await removeStatus(this.configuration.stateDir).catch(() => undefined); // the file soon counts as outdated
  }

  private serve(): Promise<void> {
    return (this.serving ??= this.serveOnce().finally(() => (this.serving = undefined)));
  }

  private async serveOnce(): Promise<void> {
    try {
      await this.requests.handle();
      await writeStatus(this.configuration.stateDir, this.status());
    } catch (error) {
      // The disk may be full. Jobs do not depend on these files, and health checks notice an outdated status.
      this.logger.debug(`the commands of the operator cannot be served: ${String(error)}`);
    }
  }

  private status(): AgentStatus {
    const { isConnected, since, reason, validUntil } = this.connection.state;
    return {
      format: 1,
      written_at: new Date().toISOString(),
      agent_id: this.identity.agentId,
      version: AGENT_VERSION,
      pid: process.pid,
      started_at: this.startedAt.toISOString(),
      link: { is_connected: isConnected, since: since.toISOString(), reason: reason ?? null },
      last_reply_at: this.heartbeat.lastReplyAt?.toISOString() ?? null,
      credential_valid_until: validUntil?.toISOString() ?? null,
      free_slots: this.slots.free,
      slots: this.slots.total,
      is_disk_low: this.heartbeat.isDiskLow,
      jobs: this.leases.running().map(jobStatus),
    };
  }
}

function jobStatus(lease: RunningLease): JobStatus {
  const { jobId: id, epoch, heldForMs, snapshotAgeMs, silentForMs, remainingMs } = lease;
  const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
  return {
    id,
    epoch,
    since: at(-heldForMs),
    snapshot_since: snapshotAgeMs === undefined ? null : at(-snapshotAgeMs),
    last_renewed_at: at(-silentForMs),
    stops_at: at(remainingMs),
  };
}

/** Equals the interval of heartbeats. */
const PERIOD_MS = 2_000;
