import type { Msg } from '@nats-io/nats-core';
import type { BaseRpcContext } from '@nestjs/microservices';

/** A message after its bytes were understood: which handler it is for, and what that handler is given. */
export interface Decoded<Context extends BaseRpcContext = BaseRpcContext> {
  readonly pattern: string;
  readonly data: unknown;
  readonly context: Context;
}

export type IncomingMessage = Pick<Msg, 'subject' | 'data' | 'headers'>;

/** A durable pull consumer whose messages become events (`@EventPattern`), each acknowledged when its handler resolves. */
export interface ConsumerBinding {
  readonly stream: string;
  readonly durable: string;
  /**
   * How many messages are handled at once. Messages of one subject are handled one after another, in order of arrival.
   * Bounded also by the consumer's max_ack_pending.
   */
  readonly concurrency: number;
  /** While a handler runs the server is told so this often; less than half of the consumer's ack_wait. */
  readonly workingEveryMs: number;
  /** @returns undefined, or throws, when the message can never be handled: it is dropped and logged */
  readonly decode: (message: IncomingMessage) => Decoded | undefined;
  /** Runs after the handler has resolved and before the message is acknowledged to JetStream. */
  readonly handled?: (decoded: Decoded) => Promise<void> | void;
  /** @returns how long the message waits after the handler rejected */
  readonly retryAfterMs: (deliveryCount: number) => number;
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
  readonly decode: (message: IncomingMessage) => Decoded | undefined;
  readonly reply?: {
    readonly encode: (response: unknown, decoded: Decoded) => Uint8Array;
    /** The requester chose the reply subject and the reply is published with this side's rights: only its inbox may pass. */
    readonly mayReplyTo: (replySubject: string, decoded: Decoded) => boolean;
  };
}
