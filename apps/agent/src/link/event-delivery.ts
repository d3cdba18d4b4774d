import { Controller, Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { addressedTo, eventSubject } from '@understudy/agent-protocol/transport';

import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import { AgentConnection } from './agent-connection.js';
import { EgressJournal, type EventDraft } from '../journal/egress-journal.js';
import type { JournaledEvent } from '../journal/journal-entry.js';

/**
 * Delivers journaled events to the control plane, each at least once. Events of one job are sent one after another: the
 * next event waits until the previous one is acknowledged. A lost message therefore cannot change their order.
 */
@Injectable()
export class EventDelivery implements OnApplicationShutdown {
  private readonly logger = new Logger(EventDelivery.name);
  private readonly waiting = new Map<string, JournaledEvent[]>();
  private readonly sentAt = new Map<number, number>();
  private readonly emptied: (() => void)[] = [];
  private readonly acknowledgedAbout = new Map<string, (() => void)[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly journal: EgressJournal,
    private readonly connection: AgentConnection,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {}

  /** Queues the events that an earlier process left, and sends all events until they are acknowledged. */
  async start(): Promise<void> {
    this.journal.unacknowledged().forEach((event) => this.enqueue(event));
    const connection = await this.connection.open();
    this.timer = setInterval(() => this.sendDue(), TICK_MS);
    this.sendDue();
    for await (const status of connection.status()) {
      if (status.type !== 'reconnect') continue;
      this.sentAt.clear(); // messages sent before the reconnect may be lost
      this.sendDue();
    }
  }

  /** Resolves when the event is on the disk; delivery continues in the background. */
  async deliver(encode: EventDraft['encode']): Promise<void> {
    const subject = eventSubject(this.identity.agentId);
    this.enqueue(await this.journal.appendEvent({ subject, encode }, new Date()));
    this.sendDue();
  }

  /** Removes acknowledged events from the queues and records the acknowledgement in the journal. */
  async acknowledged(journalSeqs: readonly number[]): Promise<void> {
    const known = journalSeqs.filter((seq) => this.remove(seq));
    if (known.length === 0) return;
    this.sendDue();
    if (this.waiting.size === 0) this.emptied.splice(0).forEach((resolve) => resolve());
    await this.journal.acknowledge(known, new Date());
  }

  /** Returns the number of events of the job that are not acknowledged yet. */
  backlog(jobId: string): number {
    return this.waiting.get(jobId)?.length ?? 0;
  }

  /**
   * Resolves when no event about this id waits for an acknowledgement. Also waits for events that are added
   * after the call.
   */
  whenAcknowledged(about: string): Promise<void> {
    if (!this.waiting.has(about)) return Promise.resolve();
    return new Promise((resolve) => {
      this.acknowledgedAbout.set(about, [...(this.acknowledgedAbout.get(about) ?? []), resolve]);
    });
  }

  /** Resolves when all events are acknowledged. */
  whenEmpty(): Promise<void> {
    return this.waiting.size === 0 ? Promise.resolve() : new Promise((resolve) => this.emptied.push(resolve));
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private enqueue(event: JournaledEvent): void {
    const queue = this.waiting.get(event.about);
    if (queue === undefined) this.waiting.set(event.about, [event]);
    else queue.push(event);
  }

  private remove(journalSeq: number): boolean {
    for (const [about, queue] of this.waiting) {
      const index = queue.findIndex((event) => event.journalSeq === journalSeq);
      if (index < 0) continue;
      queue.splice(index, 1);
      if (queue.length === 0) {
        this.waiting.delete(about);
        this.acknowledgedAbout.get(about)?.forEach((resolve) => resolve());
        this.acknowledgedAbout.delete(about);
      }
      this.sentAt.delete(journalSeq);
      return true;
    }
    return false; // it was acknowledged before
  }

  private sendDue(): void {
    const connection = this.connection.current;
    if (connection === undefined) return;
    const now = performance.now();
    for (const [head] of this.waiting.values()) {
      if (head === undefined) continue;
      const sentAt = this.sentAt.get(head.journalSeq);
      if (sentAt !== undefined && now - sentAt < RESEND_MS) continue;
      this.sentAt.set(head.journalSeq, now);
      try {
        const { agentId } = this.identity;
        connection.publish(eventSubject(agentId), head.bytes, { headers: addressedTo(agentId) });
      } catch (error) {
        // The timer retries. The event is safe in the journal.
        this.logger.warn(`event ${head.journalSeq}: ${error instanceof Error ? error.message : 'not sent'}`);
      }
    }
  }
}

const TICK_MS = 1_000;
const RESEND_MS = 5_000;

/** Receives the numbers of the events that the control plane has committed. */
@Controller()
export class AcknowledgementsController {
  constructor(private readonly delivery: EventDelivery) {}

  @EventPattern('event_acknowledgement')
  acknowledged(@Payload() journalSeqs: readonly number[]): Promise<void> {
    return this.delivery.acknowledged(journalSeqs);
  }
}
