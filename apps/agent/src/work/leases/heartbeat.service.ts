import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { decodeHeartbeatReply, encodeHeartbeat, type ReportedLease } from '@understudy/agent-protocol';
import { addressedTo, heartbeatSubject } from '@understudy/agent-protocol/transport';

import { AGENT_IDENTITY, type AgentIdentity } from '../../identity/agent-identity.js';
import { AgentSnapshotStore } from '../../snapshots/agent-snapshot-store.js';
import { AgentConnection } from '../../link/agent-connection.js';
import { AgentOffer } from '../../policy/agent-offer.js';
import { FreeDisk } from './free-disk.js';
import { EgressJournal, JournalWriteError } from '../../journal/egress-journal.js';
import { Leases, type RunningLease } from './leases.js';
import { JobSlots } from './job-slots.js';

/** Sends a heartbeat with the agent's leases every 2 s. Each reply reports the leases that are lost or cancelled. */
@Injectable()
export class HeartbeatService implements OnApplicationShutdown {
  private readonly logger = new Logger(HeartbeatService.name);
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | undefined;
  private repliedAt: Date | undefined;
  private diskIsLow = false;

  constructor(
    private readonly connection: AgentConnection,
    private readonly journal: EgressJournal,
    private readonly leases: Leases,
    private readonly slots: JobSlots,
    private readonly disk: FreeDisk,
    private readonly snapshots: AgentSnapshotStore,
    private readonly offer: AgentOffer,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  async start(): Promise<void> {
    void this.connection.whenRevoked.then(() => this.leases.revoked());
    await this.connection.open();
    this.timer = setInterval(() => void this.beat(), BEAT_MS);
    await this.beat();
  }

  /**
   * Sends a heartbeat immediately, for example to confirm a new lease. If a heartbeat is already in progress,
   * waits for that heartbeat and sends no other.
   */
  beat(): Promise<void> {
    return (this.beating ??= this.beatOnce().finally(() => (this.beating = undefined)));
  }

  /** The time of the last heartbeat to which the control plane replied. */
  get lastReplyAt(): Date | undefined {
    return this.repliedAt;
  }

  /** Whether the last heartbeat reported no free slot because the disk is almost full. */
  get isDiskLow(): boolean {
    return this.diskIsLow;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async beatOnce(): Promise<void> {
    const named = this.leases.running();
    try {
      const connection = this.connection.current;
      if (connection === undefined) throw new Error('not connected');
      const subject = heartbeatSubject(this.identity.agentId);
      // If the disk is almost full, report no free slot, so that the control plane sends no work.
      this.diskIsLow = await this.disk.isLow();
      const { bytes, message } = encodeHeartbeat({
        version: AGENT_VERSION,
        leases: named.map(reported),
        freeSlots: this.diskIsLow ? 0 : this.slots.free,
        snapshotStore: this.snapshots.id,
        offer: this.offer,
      });
      await this.journal.recordPassing('heartbeat', { subject, bytes, message }, new Date());
      const sentAtMs = performance.now();
      const reply = await connection.request(subject, bytes, {
        timeout: REPLY_MS,
        headers: addressedTo(this.identity.agentId),
      });
      this.leases.replied(named, decodeHeartbeatReply(reply.data), sentAtMs);
      if (this.repliedAt === undefined) this.logger.log('live: the control plane has replied');
      this.repliedAt = new Date();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown error';
      if (error instanceof JournalWriteError) this.logger.error(`the heartbeat could not be sent: ${reason}`);
      // A single missing reply is harmless; leases are lost only after a longer time without replies.
      else this.logger.debug(`no reply to a heartbeat: ${reason}`);
      this.leases.unanswered();
    }
  }
}

function reported({ jobId, epoch, snapshotAgeMs }: RunningLease): ReportedLease {
  return {
    ...{ jobId, epoch },
    ...(snapshotAgeMs !== undefined && { snapshotAgeSeconds: Math.floor(snapshotAgeMs / 1000) }),
  };
}

/** Must equal the version in package.json; a test compares them. */
export const AGENT_VERSION = '0.1.0';

const BEAT_MS = 2_000;
const REPLY_MS = 4_000;
