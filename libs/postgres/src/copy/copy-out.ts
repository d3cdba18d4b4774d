import type { Client, Connection, Submittable } from 'pg';

/**
 * Takes a piece of the stream, cut anywhere, and the number of messages that have begun. The piece is the consumer's to keep.
 * @returns a promise while it cannot take more: nothing is read from the server meanwhile
 */
export type CopyConsumer = (chunk: Uint8Array, messages: number) => Promise<void> | undefined;

/** Takes the stream message by message: a row each, in COPY's text format its newline included. */
export interface MessageReceiver {
  /** `bytes[start, end)` is a message, or the next part of one: all of it when `isLast`. To be changed by the receiver, until it flushes. */
  take(bytes: Uint8Array, start: number, end: number, isLast: boolean): void;
  /**
   * What was read at once is taken. @param messages that have begun so far
   * @returns a promise while it cannot take more: nothing is read from the server meanwhile
   */
  flush(messages: number): Promise<void> | undefined;
}

/**
 * Runs `COPY … TO STDOUT` and hands its bytes to `consume`. Resolves to the number of messages when all are consumed: rows, in
 * COPY's text format.
 * Rejects with the server's or the connection's error, or with the consumer's (the connection is then of no more use).
 *
 * A server sends one CopyData message a row; this takes the frames off in the socket's own buffer, so that rows reach the
 * consumer in pieces of a socket read and not one by one.
 */
export function copyOut(client: Client, sql: string, consume: CopyConsumer): Promise<number> {
  return copyOutMessages(client, sql, new PieceReceiver(consume));
}

/** The same for a receiver that wants to know where a row begins and ends. */
export function copyOutMessages(client: Client, sql: string, receiver: MessageReceiver): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyOutQuery(sql, receiver, resolve, reject));
  });
}

/** Puts the messages of one read together where they lie. */
class PieceReceiver implements MessageReceiver {
  private bytes: Uint8Array | undefined;
  private written = 0;

  constructor(private readonly consume: CopyConsumer) {}

  take(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    bytes.copyWithin(this.written, start, end);
    this.written += end - start;
  }

  flush(messages: number): Promise<void> | undefined {
    const piece = this.bytes?.subarray(0, this.written);
    this.bytes = undefined;
    this.written = 0;
    return piece === undefined || piece.length === 0 ? undefined : this.consume(piece, messages);
  }
}

const COPY_DATA = 0x64;
/** CopyOutResponse, NoticeResponse, ParameterStatus, NotificationResponse: may stand between rows, hold none. */
const SKIPPED = new Set([0x48, 0x4e, 0x53, 0x41]);

class CopyOutQuery implements Submittable {
  private connection: Connection | undefined;
  private protocolHandler: ((chunk: Buffer) => void) | undefined;
  private readonly ownHandler = (chunk: Buffer) => {
    this.take(chunk);
  };
  private code = 0;
  /** The message's length field as far as it was read; `headerBytes` of the five header bytes are behind us. */
  private length = 0;
  private headerBytes = 0;
  private remaining = 0;
  private messages = 0;
  private consuming: Promise<void> | undefined;

  constructor(
    private readonly sql: string,
    private readonly receiver: MessageReceiver,
    private readonly resolve: (messages: number) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  submit(connection: Connection): void {
    this.connection = connection;
    const { stream } = connection;
    // pg's parser is the socket's only data listener; it gets the stream back with the first message that is not ours.
    this.protocolHandler = stream.listeners('data')[0] as (chunk: Buffer) => void;
    stream.removeListener('data', this.protocolHandler);
    stream.on('data', this.ownHandler);
    connection.query(this.sql);
  }

  private take(chunk: Buffer): void {
    let end = chunk.length;
    try {
      // Node's Buffer is a subclass whose subarray costs several times that of a plain view.
      end = this.takeOff(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length));
      this.flush();
    } catch (error) {
      this.fail(error);
    }
    if (end < chunk.length) this.handBack(chunk.subarray(end));
  }

  /** Takes the frames off. @returns the place of the first message that is not ours, or the end */
  private takeOff(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length) {
      if (this.remaining > 0) {
        const count = Math.min(this.remaining, chunk.length - at);
        this.remaining -= count;
        if (this.code === COPY_DATA) this.receiver.take(chunk, at, at + count, this.remaining === 0);
        at += count;
      } else if (this.headerBytes === 0) {
        this.code = chunk[at] as number;
        if (this.code !== COPY_DATA && !SKIPPED.has(this.code)) return at;
        if (this.code === COPY_DATA) this.messages++;
        if (chunk.length - at >= 5) {
          this.remaining = lengthAt(chunk, at + 1) - 4;
          at += 5;
        } else {
          this.headerBytes = 1;
          this.length = 0;
          at++;
        }
      } else {
        this.length = this.length * 256 + (chunk[at++] as number);
        if (++this.headerBytes === 5) {
          this.headerBytes = 0;
          this.remaining = this.length - 4;
        }
      }
    }
    return at;
  }

  private flush(): void {
    const busy = this.receiver.flush(this.messages);
    if (busy === undefined) return;
    const stream = this.connection?.stream;
    stream?.pause();
    this.consuming = busy.then(() => {
      this.consuming = undefined;
      stream?.resume();
    });
    this.consuming.catch((error: unknown) => {
      this.fail(error);
    });
  }

  /** A consumer that failed leaves a stream nobody reads: only closing the connection ends it. */
  private fail(error: unknown): void {
    this.reject(error);
    this.connection?.stream.destroy();
  }

  /** CopyDone, ErrorResponse or anything else: pg's parser goes on from there. */
  private handBack(rest: Buffer): void {
    const stream = this.connection?.stream;
    const handler = this.protocolHandler;
    if (stream === undefined || handler === undefined) return;
    stream.removeListener('data', this.ownHandler);
    stream.on('data', handler);
    handler(rest);
  }

  handleError(error: unknown): void {
    this.reject(error);
  }

  handleCommandComplete(): void {
    // the row count is counted by whoever reads the rows
  }

  handleReadyForQuery(): void {
    const done = () => {
      this.resolve(this.messages);
    };
    if (this.consuming === undefined) done();
    else void this.consuming.then(done, this.reject);
  }

  handleCopyData(): void {
    // a piece that arrived after the hand-back would be a protocol error; pg reports it
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}
