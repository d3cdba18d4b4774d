import { jetstreamManager, type ConsumerInfo, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import type { ConsumerBinding, Decoded, PoisonMessage } from './bindings.js';
import { Lanes } from './lanes.js';

export interface PumpEvents {
  /** Runs the handler. Rejects if the handler fails. */
  handle(decoded: Decoded): Promise<void>;
  /** Called before a poison message is terminated, if the binding has no `recordPoison`. */
  poison(message: PoisonMessage): void;
  failed(subject: string, error: unknown): void;
}

/**
 * Pulls messages from one durable consumer. Needs permission only for `CONSUMER.MSG.NEXT` of the JetStream
 * API: with `bind`, the NATS client never requests `CONSUMER.INFO`. If the consumer was deleted, the pump
 * resumes when the consumer exists again.
 *
 * The pump abandons its inbox when the connection is lost and after two missed heartbeats, and pulls with a new
 * inbox. The server keeps a pull request of the lost connection until it expires, but has forgotten how to
 * forward messages to it from another account. It skips such a request only if nobody subscribes to its inbox.
 * Otherwise, it sends the next message to nobody, and sends it again after `ack_wait`.
 */
export class ConsumerPump {
  private readonly lanes: Lanes;
  private messages: ConsumerMessages | undefined;
  private repairing: Promise<void> | undefined;
  /** Set while the connection is lost. Resolves when it is open again. */
  private reconnecting: Promise<void> | undefined;
  private reconnected: () => void = () => undefined;
  /** Set while the pump is paused. Resolves when the binding is ready again, or when the pump is closed. */
  private pausing: Promise<void> | undefined;
  private asking: Promise<boolean> | undefined;
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
    void this.followConnection();
    void this.run();
  }

  /**
   * Stops pulling and waits for the handlers that are running. Messages whose handler has not started are
   * delivered again later.
   */
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
        for await (const message of this.messages) this.take(message);
      } catch (error) {
        if (!this.closed) this.events.failed(this.binding.durable, error);
      }
      // The iterator ends on close, on a pause, if the pump abandons the inbox, and on an error that the client
      // regards as final, such as a refused subscription.
      if (!this.closed) await Promise.race([this.untilNextPull(), this.connection.closed()]);
    }
  }

  private async untilNextPull(): Promise<void> {
    if (this.reconnecting === undefined && this.pausing === undefined) await wait(RETRY_OPEN_MS);
    await this.reconnecting;
    await this.pausing;
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

  /** For a bound pull consumer, the NATS client reads only the names of stream and consumer from this object. */
  private description(): ConsumerInfo {
    const { stream, durable } = this.binding;
    return {
      stream_name: stream,
      name: durable,
      config: { durable_name: durable, name: durable },
    } as ConsumerInfo;
  }

  private async watch(messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status()) {
      if (type === 'heartbeats_missed') messages.stop();
      if (MISSING.has(type)) await this.repair();
    }
  }

  /** Abandons the inbox before the client subscribes to it again on the next connection. */
  private async followConnection(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (this.closed) return;
      if (type === 'disconnect') {
        this.reconnecting ??= new Promise((resolve) => (this.reconnected = resolve));
        this.messages?.stop();
      }
      if (type === 'reconnect') {
        this.reconnecting = undefined;
        this.reconnected();
        void this.repair();
      }
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

  /**
   * Adds the message to the lane of its subject. Returns the message to the server instead if the pump is
   * paused, or if the message would exceed the limit for its subject.
   */
  private take(message: JsMsg): void {
    if (this.pausing !== undefined) return message.nak();
    if (!this.hasRoomFor(message)) return message.nak(this.binding.retryAfterMs(message.info.deliveryCount));
    const working = setInterval(() => message.working(), this.binding.workingEveryMs);
    this.lanes.add(message.subject, {
      bytes: message.data.length,
      run: () => this.process(message).finally(() => clearInterval(working)),
      drop: () => {
        clearInterval(working);
        message.nak();
      },
    });
  }

  private hasRoomFor({ subject, data }: JsMsg): boolean {
    const { heldPerSubject: limit } = this.binding;
    if (limit === undefined) return true;
    const { tasks, bytes } = this.lanes.held(subject);
    return tasks === 0 || (tasks < limit.messages && bytes + data.length <= limit.bytes);
  }

  private async process(message: JsMsg): Promise<void> {
    let decoded: Decoded | undefined;
    try {
      decoded = this.decode(message);
      await this.events.handle(decoded);
      await this.binding.handled?.(decoded);
      message.ack();
    } catch (error) {
      await this.failed(message, decoded, error);
    }
  }

  private decode(message: JsMsg): Decoded {
    let decoded: Decoded | undefined;
    try {
      decoded = this.binding.decode(message);
    } catch (cause) {
      throw new UndecodableError(cause);
    }
    if (decoded === undefined) throw new UndecodableError(undefined);
    return decoded;
  }

  private async failed(message: JsMsg, decoded: Decoded | undefined, error: unknown): Promise<void> {
    try {
      if (error instanceof UndecodableError || this.binding.isPoison?.(error)) {
        await this.terminate(message, decoded, error);
        return;
      }
      this.events.failed(message.subject, error);
    } catch (unrecorded) {
      this.events.failed(message.subject, unrecorded);
    }
    if (await this.isReady()) message.nak(this.binding.retryAfterMs(message.info.deliveryCount));
    else {
      this.pause();
      message.nak();
    }
  }

  private async terminate(message: JsMsg, decoded: Decoded | undefined, error: unknown): Promise<void> {
    const { subject, seq: streamSequence } = message;
    const cause = error instanceof UndecodableError ? error.cause : error;
    const poison: PoisonMessage = { subject, streamSequence, decoded, error: cause };
    if (this.binding.recordPoison === undefined) this.events.poison(poison);
    else await this.binding.recordPoison(poison);
    message.term();
  }

  /** Runs at most one check at a time, even if many messages fail. */
  private isReady(): Promise<boolean> {
    if (this.binding.isReady === undefined) return Promise.resolve(true);
    return (this.asking ??= this.binding.isReady().finally(() => (this.asking = undefined)));
  }

  /**
   * Stops pulling until the binding is ready. The server gets back the messages whose handler has not
   * started, and keeps them until the next pull request.
   */
  private pause(): void {
    this.pausing ??= this.untilReady().finally(() => (this.pausing = undefined));
    this.messages?.stop();
    this.lanes.clear();
  }

  private async untilReady(): Promise<void> {
    do await wait(this.binding.askReadyEveryMs ?? ASK_READY_MS);
    while (!this.closed && !(await this.isReady()));
  }
}

/**
 * Thrown if `decode` fails. The cause is the error that `decode` threw, or undefined if it returned
 * undefined.
 */
class UndecodableError extends Error {
  constructor(override readonly cause: unknown) {
    super('the message cannot be decoded');
    this.name = 'UndecodableError';
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const PULL_EXPIRES_MS = 30_000;
const IDLE_HEARTBEAT_MS = 1_000;
const RETRY_OPEN_MS = 1_000;
const ASK_READY_MS = 1_000;
const MISSING = new Set(['heartbeats_missed', 'no_responders', 'consumer_deleted']);
