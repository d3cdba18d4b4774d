import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core';
import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { firstValueFrom, isObservable } from 'rxjs';

import type { ConsumerBinding, Decoded, SubjectBinding } from './bindings.js';
import { ConsumerPump, type PumpEvents } from './consumer-pump.js';

export interface JetStreamServerOptions {
  /** Opens the connection or returns an open one. The transport never closes it. */
  readonly connection: () => Promise<NatsConnection>;
  /** Called once, after the connection is established. */
  readonly consumers: () => readonly ConsumerBinding[];
  readonly subjects: () => readonly SubjectBinding[];
}

/**
 * A Nest transport that passes messages of JetStream consumers and core NATS subjects to message handlers.
 *
 * A consumer's message is acknowledged after its `@EventPattern` handler has resolved. If the handler
 * rejects, the message is delivered again after a delay. A poison message is terminated. A message without a
 * registered handler counts as a failure and remains in the stream. Because of redelivery, a handler can
 * receive the same message more than once.
 */
export class JetStreamServer extends Server implements CustomTransportStrategy {
  // The base class hides a handler's failure from the transport. This transport needs it to choose between
  // ack and nak.
  override readonly propagatesEventHandlerErrors = true;
  private readonly pumps: ConsumerPump[] = [];
  private readonly subscriptions: Subscription[] = [];
  private opened: NatsConnection | undefined;

  constructor(private readonly options: JetStreamServerOptions) {
    super();
  }

  override listen(callback: (error?: unknown) => void): void {
    this.open().then(
      () => callback(),
      (error: unknown) => callback(error),
    );
  }

  /** Stops accepting messages, then waits for the handlers that are running. The connection stays open. */
  override async close(): Promise<void> {
    this.subscriptions.forEach((subscription) => subscription.unsubscribe());
    await Promise.all(this.pumps.map((pump) => pump.close()));
  }

  override on(): never {
    throw new Error('JetStreamServer does not emit events');
  }

  override unwrap<T>(): T {
    return this.opened as T;
  }

  private async open(): Promise<void> {
    const connection = await this.options.connection();
    this.opened = connection;
    for (const binding of this.options.subjects()) this.subscribe(connection, binding);
    for (const binding of this.options.consumers()) {
      const pump = new ConsumerPump(connection, binding, this.pumpEvents());
      this.pumps.push(pump);
      await pump.start();
    }
  }

  private pumpEvents(): PumpEvents {
    return {
      handle: async (decoded) => {
        await this.invoke(decoded);
      },
      poison: ({ subject, streamSequence, error }) =>
        this.logger.error(
          `dropped a message on ${subject}, sequence ${streamSequence}: ` +
            `${reason(error ?? new Error('undecodable'))}`,
        ),
      failed: (subject, error) => this.logger.warn(`${subject}: ${reason(error)}`),
    };
  }

  private subscribe(connection: NatsConnection, binding: SubjectBinding): void {
    const subscription = connection.subscribe(binding.subject, {
      ...(binding.queue === undefined ? {} : { queue: binding.queue }),
      callback: (error, message) => {
        if (error) this.logger.error(`${binding.subject}: ${reason(error)}`);
        else if (binding.admit?.(message) ?? true) void this.respond(binding, message);
      },
    });
    this.subscriptions.push(subscription);
  }

  /**
   * Handles a message and sends the reply, if any. A failure is only logged. Core NATS does not store
   * messages, so the sender must retry.
   */
  private async respond(binding: SubjectBinding, message: Msg): Promise<void> {
    try {
      const decoded = binding.decode(message);
      if (decoded === undefined) throw new Error('undecodable');
      const response = await this.invoke(decoded);
      if (binding.reply === undefined || message.reply === undefined || message.reply === '') return;
      if (!binding.reply.mayReplyTo(message.reply, decoded)) throw new Error('reply subject refused');
      message.respond(binding.reply.encode(response, decoded));
    } catch (error) {
      this.logger.warn(`${message.subject}: ${reason(error)}`);
    }
  }

  private async invoke(decoded: Decoded): Promise<unknown> {
    const handler = this.getHandlerByPattern(decoded.pattern);
    if (handler === null) throw new Error(`no handler for ${decoded.pattern}`);
    const result: unknown = await handler(decoded.data, decoded.context);
    return isObservable(result) ? firstValueFrom(result, { defaultValue: undefined }) : result;
  }
}

/**
 * Returns a description of an error for the log. For an error with a code, returns only its name and code,
 * because messages of PostgreSQL errors quote values.
 */
function reason(error: unknown): string {
  if (error instanceof Error) {
    const code: unknown = Reflect.get(error, 'code');
    return typeof code === 'string' ? `${error.name} ${code}` : error.message;
  }
  // Nest's default filter rejects with `{ status, message }`.
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return 'unknown error';
}
