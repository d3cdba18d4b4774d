import type { Msg } from '@nats-io/nats-core';
import type { BaseRpcContext } from '@nestjs/microservices';

/** A message after its bytes were understood: which handler it is for, and what that handler is given. */
export interface Decoded<Context extends BaseRpcContext = BaseRpcContext> {
  readonly pattern: string;
  readonly data: unknown;
  readonly context: Context;
}

export type IncomingMessage = Pick<Msg, 'subject' | 'data' | 'headers'>;

/** A message that is never delivered again, and the reason. */
export interface PoisonMessage {
  readonly subject: string;
  readonly streamSequence: number;
  /** Undefined when the bytes were not understood. */
  readonly decoded: Decoded | undefined;
  /** What decoding threw, undefined when it returned nothing, or what the handler rejected with. */
  readonly error: unknown;
}

/** A durable pull consumer whose messages become events (`@EventPattern`), each acknowledged when its handler resolves. */
export interface ConsumerBinding {
  readonly stream: string;
  readonly durable: string;
  /**
   * How many messages are handled at once. Messages of one subject are handled one after another, in order of arrival;
   * subjects take turns.
   */
  readonly concurrency: number;
  /**
   * The most that this process holds of one subject, handled or waiting. Further messages go back to the server at once and
   * are delivered again later, so a consumer without a limit of unacknowledged messages delays no other subject.
   * One message is always held, whatever its size. Without it nothing goes back.
   */
  readonly heldPerSubject?: { readonly messages: number; readonly bytes: number };
  /** While a message is held the server is told so this often; less than half of the consumer's ack_wait. */
  readonly workingEveryMs: number;
  /** @returns undefined, or throws, when the message can never be handled: it is poison */
  readonly decode: (message: IncomingMessage) => Decoded | undefined;
  /** Runs after the handler has resolved and before the message is acknowledged to JetStream. */
  readonly handled?: (decoded: Decoded) => Promise<void> | void;
  /** @returns how long the message waits after the handler rejected, or after it went back */
  readonly retryAfterMs: (deliveryCount: number) => number;
  /** Whether a handler that rejected so would always reject. Without it only what cannot be decoded is poison. */
  readonly isPoison?: (error: unknown) => boolean;
  /** Runs before a poison message is terminated; if it rejects, the message is delivered again. Without it there is a log. */
  readonly recordPoison?: (poison: PoisonMessage) => Promise<void>;
  /**
   * Asked after each failure that is not poison. While it answers false nothing is pulled and nothing is held, so an outage
   * of a service that handlers need costs no redelivery. It must not reject.
   */
  readonly isReady?: () => Promise<boolean>;
  /** How often {@link isReady} is asked until it answers true. */
  readonly askReadyEveryMs?: number;
  /**
   * Called when the consumer or its stream seems to be gone, and after each reconnect. Whoever may create streams does so
   * here; whoever may not leaves it out and keeps asking.
   */
  readonly repair?: () => Promise<void>;
}

/** A core NATS subscription: with `reply` its messages are requests (`@MessagePattern`), without they are events. */
export interface SubjectBinding {
  readonly subject: string;
  readonly queue?: string;
  /** Asked before anything else; a message that is refused costs nothing, gets no reply and is not logged. */
  readonly admit?: (message: IncomingMessage) => boolean;
  readonly decode: (message: IncomingMessage) => Decoded | undefined;
  readonly reply?: {
    readonly encode: (response: unknown, decoded: Decoded) => Uint8Array;
    /** The requester chose the reply subject and the reply is published with this side's rights: only its inbox may pass. */
    readonly mayReplyTo: (replySubject: string, decoded: Decoded) => boolean;
  };
}
