import type { Msg } from '@nats-io/nats-core';
import type { BaseRpcContext } from '@nestjs/microservices';

/** A decoded message: the pattern of its handler, and the arguments of that handler. */
export interface Decoded<Context extends BaseRpcContext = BaseRpcContext> {
  readonly pattern: string;
  readonly data: unknown;
  readonly context: Context;
}

export type IncomingMessage = Pick<Msg, 'subject' | 'data' | 'headers'>;

/** A message that will not be delivered again, and the reason. */
export interface PoisonMessage {
  readonly subject: string;
  readonly streamSequence: number;
  /** Undefined if the message could not be decoded. */
  readonly decoded: Decoded | undefined;
  /** The error of `decode` or of the handler. Undefined if `decode` returned undefined. */
  readonly error: unknown;
}

/**
 * A durable pull consumer whose messages are Nest events (`@EventPattern`). A message is acknowledged after
 * its handler has resolved.
 */
export interface ConsumerBinding {
  readonly stream: string;
  readonly durable: string;
  /**
   * The number of messages that are handled concurrently. Messages of one subject are handled one after
   * another in the order of arrival. Subjects take turns.
   */
  readonly concurrency: number;
  /**
   * The maximum number and total bytes of the messages of one subject that this process keeps, waiting or
   * being handled. The process returns further messages to the server, which delivers them again later. So a
   * subject with many messages delays no other subject, provided that the consumer has no `max_ack_pending`.
   * One message of any size is always kept. Without this option, the process keeps every message.
   */
  readonly heldPerSubject?: { readonly messages: number; readonly bytes: number };
  /**
   * How often the process reports to the server that it is still working on a message, in milliseconds. Must
   * be less than half of the consumer's `ack_wait`.
   */
  readonly workingEveryMs: number;
  /** @returns undefined if the message can never be handled (poison); throwing an error means the same */
  readonly decode: (message: IncomingMessage) => Decoded | undefined;
  /** Runs after the handler has resolved and before the message is acknowledged. */
  readonly handled?: (decoded: Decoded) => Promise<void> | void;
  /**
   * @returns the delay before a message is delivered again after its handler failed or the process returned
   * it
   */
  readonly retryAfterMs: (deliveryCount: number) => number;
  /**
   * Returns whether the handler would fail with the same error every time. Without this option only messages
   * that cannot be decoded are poison.
   */
  readonly isPoison?: (error: unknown) => boolean;
  /**
   * Runs before a poison message is terminated. If it rejects, the message is delivered again. Without this
   * option the message is logged.
   */
  readonly recordPoison?: (poison: PoisonMessage) => Promise<void>;
  /**
   * Called after each failure of a message that is not poison. While it returns false, the process pulls no
   * messages, and returns the messages whose handler has not started to the server. This avoids repeated
   * redelivery during an outage of a service that handlers need. Must not reject.
   */
  readonly isReady?: () => Promise<boolean>;
  /** The interval at which {@link isReady} is called until it returns true, in milliseconds. */
  readonly askReadyEveryMs?: number;
  /**
   * Called when the consumer or its stream seems to be missing, and after each reconnect. A process that may
   * create streams creates them here. Without this option the process only retries.
   */
  readonly repair?: () => Promise<void>;
}

/**
 * A core NATS subscription. If `reply` is set, its messages are requests (`@MessagePattern`). Otherwise they
 * are events.
 */
export interface SubjectBinding {
  readonly subject: string;
  readonly queue?: string;
  /**
   * Called before `decode`. If it returns false, the message is dropped without a reply and without a log
   * line.
   */
  readonly admit?: (message: IncomingMessage) => boolean;
  readonly decode: (message: IncomingMessage) => Decoded | undefined;
  readonly reply?: {
    readonly encode: (response: unknown, decoded: Decoded) => Uint8Array;
    /**
     * Returns whether a reply may be sent to a subject. The requester chose the subject, but this process
     * sends the reply with its own permissions. So accept only the requester's own inbox.
     */
    readonly mayReplyTo: (replySubject: string, decoded: Decoded) => boolean;
  };
}
