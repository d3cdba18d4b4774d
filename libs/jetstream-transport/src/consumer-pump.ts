import { jetstreamManager, type ConsumerInfo, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import type { ConsumerBinding, Decoded } from './bindings.js';
import { Lanes } from './lanes.js';

export interface PumpEvents {
  /** Runs the handler; rejects when the message has to come again. */
  handle(decoded: Decoded): Promise<void>;
  /** The message was dropped. Gives no content: subject and stream sequence only. */
  poison(subject: string, streamSequence: number, error: unknown): void;
  failed(subject: string, error: unknown): void;
}

/**
 * Pulls from one durable consumer without ever asking for its description, so that `CONSUMER.MSG.NEXT` is the only part of
 * the JetStream API it needs: with `bind`, the client answers two missed heartbeats and every reconnect with a new pull
 * request instead of CONSUMER.INFO, and goes on when the consumer is there again.
 */
export class ConsumerPump {
  private readonly lanes: Lanes;
  private messages: ConsumerMessages | undefined;
  private repairing: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly connection: NatsConnection,
    private readonly binding: ConsumerBinding,
    private readonly events: PumpEvents,
  ) {
    this.lanes = new Lanes(binding.concurrency);
  }

  async start(): Promise<void> {
    await this.repair();
    void this.repairOnReconnect();
    void this.run();
  }

  /** Stops pulling and waits for the handlers that run; what was not started is delivered again later. */
  async close(): Promise<void> {
    this.closed = true;
    this.messages?.stop();
    this.lanes.clear();
    await this.lanes.idle();
  }

  private async run(): Promise<void> {
    while (!this.closed && !this.connection.isClosed()) {
      try {
        this.messages = await this.open();
        void this.watch(this.messages);
        for await (const message of this.messages)
          this.lanes.add(message.subject, () => this.process(message));
      } catch (error) {
        if (!this.closed) this.events.failed(this.binding.durable, error);
      }
      // The iterator ends only on close or on an error the client takes for final (a refused subscription, say).
      if (!this.closed) await Promise.race([pause(RETRY_OPEN_MS), this.connection.closed()]);
    }
  }

  private async open(): Promise<ConsumerMessages> {
    const manager = await jetstreamManager(this.connection, { checkAPI: false });
    const consumer = manager.jetstream().consumers.getConsumerFromInfo(this.description());
    return consumer.consume({
      bind: true,
      max_messages: this.binding.concurrency,
      expires: PULL_EXPIRES_MS,
      idle_heartbeat: IDLE_HEARTBEAT_MS,
    });
  }

  /** Only names are read from it by a pull consumer that is bound. */
  private description(): ConsumerInfo {
    const { stream, durable } = this.binding;
    return {
      stream_name: stream,
      name: durable,
      config: { durable_name: durable, name: durable },
    } as ConsumerInfo;
  }

  private async watch(messages: ConsumerMessages): Promise<void> {
    for await (const status of messages.status()) {
      if (MISSING.has(status.type)) await this.repair();
    }
  }

  private async repairOnReconnect(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (this.closed) return;
      if (status.type === 'reconnect') await this.repair();
    }
  }

  private async repair(): Promise<void> {
    if (this.binding.repair === undefined || this.closed) return;
    this.repairing ??= this.binding
      .repair()
      .catch((error: unknown) => this.events.failed(this.binding.durable, error))
      .finally(() => (this.repairing = undefined));
    await this.repairing;
  }

  private async process(message: JsMsg): Promise<void> {
    const decoded = this.decode(message);
    if (decoded === undefined) return;
    const working = setInterval(() => message.working(), this.binding.workingEveryMs);
    try {
      await this.events.handle(decoded);
      await this.binding.handled?.(decoded);
      message.ack();
    } catch (error) {
      this.events.failed(message.subject, error);
      message.nak(this.binding.retryAfterMs(message.info.deliveryCount));
    } finally {
      clearInterval(working);
    }
  }

  private decode(message: JsMsg): Decoded | undefined {
    let error: unknown;
    try {
      const decoded = this.binding.decode(message);
      if (decoded !== undefined) return decoded;
    } catch (cause) {
      error = cause;
    }
    this.events.poison(message.subject, message.seq, error);
    message.term();
    return undefined;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const PULL_EXPIRES_MS = 30_000;
const IDLE_HEARTBEAT_MS = 1_000;
const RETRY_OPEN_MS = 1_000;
const MISSING = new Set(['heartbeats_missed', 'no_responders', 'consumer_deleted']);
