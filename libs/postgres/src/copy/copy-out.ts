import type { Client, Connection, Submittable } from 'pg';

/**
 * Receives the next piece of the stream, and the number of messages that have begun since the start of the stream. A
 * piece may end in the middle of a message. The consumer may use the piece after the call, because it is never reused.
 * @returns a promise if the consumer cannot accept more; nothing is read from the server until the promise resolves
 */
export type CopyConsumer = (chunk: Uint8Array, messages: number) => Promise<void> | undefined;

/** Receives the stream message by message. A message is a row; in COPY's text format it includes the newline. */
export interface MessageReceiver {
  /**
   * Receives `bytes[start, end)`, which is a message or the next part of one. The receiver may change these bytes until
   * `flush` returns.
   * @param isLast whether the message ends here
   */
  take(bytes: Uint8Array, start: number, end: number, isLast: boolean): void;
  /**
   * Called after each read from the socket, when all row bytes of the read have been passed to `take`.
   * @param messages the number of messages that have begun since the start of the stream
   * @returns a promise if the receiver cannot accept more; nothing is read from the server until the promise resolves
   */
  flush(messages: number): Promise<void> | undefined;
}

/**
 * Runs `COPY … TO STDOUT` and passes its bytes to `consume`. When all messages are consumed, the promise
 * resolves with the number of messages. In COPY's text format, this is the number of rows. Rejects with an
 * error of the server or the connection, or with the consumer's error. After an error of the consumer, the
 * promise rejects immediately. The rest of the stream is read and dropped, and the client's next query waits for its
 * end. `disconnect` does not wait for it.
 *
 * A server sends one CopyData message for each row. This function removes the message headers in the socket's
 * buffer, so the consumer receives the rows of a whole read instead of single rows.
 */
export function copyOut(client: Client, sql: string, consume: CopyConsumer): Promise<number> {
  return copyOutMessages(client, sql, new PieceReceiver(consume));
}

/** Runs `COPY … TO STDOUT` like {@link copyOut}, for a receiver that needs to know where each row begins and ends. */
export function copyOutMessages(client: Client, sql: string, receiver: MessageReceiver): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyOutQuery(sql, receiver, resolve, reject));
  });
}

/** Joins the messages of one read in place: it moves them together inside the buffer of the read. */
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
/** CopyOutResponse, NoticeResponse, ParameterStatus and NotificationResponse. They may come between rows. */
const SKIPPED = new Set([0x48, 0x4e, 0x53, 0x41]);

/** Receives the rest of a stream whose consumer has failed. */
const DROPPING: MessageReceiver = { take: () => undefined, flush: () => undefined };

class CopyOutQuery implements Submittable {
  private connection: Connection | undefined;
  private protocolHandler: ((chunk: Buffer) => void) | undefined;
  private readonly ownHandler = (chunk: Buffer) => {
    this.take(chunk);
  };
  private code = 0;
  /**
   * The part of the length field that has been read, for a header that is split between two reads.
   * `headerBytes` counts how many of the header's five bytes have been read.
   */
  private length = 0;
  private headerBytes = 0;
  private remaining = 0;
  private messages = 0;
  private consuming: Promise<void> | undefined;

  constructor(
    private readonly sql: string,
    private receiver: MessageReceiver,
    private readonly resolve: (messages: number) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  submit(connection: Connection): void {
    this.connection = connection;
    const { stream } = connection;
    // pg's parser is the only data listener of the socket. It continues at the first message that is not part of COPY.
    this.protocolHandler = stream.listeners('data')[0] as (chunk: Buffer) => void;
    stream.removeListener('data', this.protocolHandler);
    stream.on('data', this.ownHandler);
    connection.query(this.sql);
  }

  private take(chunk: Buffer): void {
    // `subarray` of Node's Buffer is several times slower than that of a Uint8Array.
    const end = this.takeOff(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length));
    this.flush();
    if (end < chunk.length) this.handBack(chunk.subarray(end));
  }

  /** Removes the message headers. @returns the offset of the first message that is not part of COPY, or the end */
  private takeOff(chunk: Uint8Array): number {
    let at = 0;
    while (at < chunk.length) {
      if (this.remaining > 0) {
        const count = Math.min(this.remaining, chunk.length - at);
        this.remaining -= count;
        if (this.code === COPY_DATA) this.pass(chunk, at, at + count);
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

  private pass(chunk: Uint8Array, start: number, end: number): void {
    try {
      this.receiver.take(chunk, start, end, this.remaining === 0);
    } catch (error) {
      this.fail(error);
    }
  }

  private flush(): void {
    let busy: Promise<void> | undefined;
    try {
      busy = this.receiver.flush(this.messages);
    } catch (error) {
      this.fail(error);
    }
    if (busy === undefined) return;
    const stream = this.connection?.stream;
    stream?.pause();
    const fail = (error: unknown) => {
      this.fail(error);
    };
    this.consuming = busy.catch(fail).then(() => {
      this.consuming = undefined;
      stream?.resume();
    });
  }

  private fail(error: unknown): void {
    this.reject(error);
    this.receiver = DROPPING;
  }

  /**
   * Passes the rest of the read to pg's parser. The rest begins with a message such as CopyDone or
   * ErrorResponse.
   */
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
    // `takeOff` has counted the rows.
  }

  handleReadyForQuery(): void {
    const done = () => {
      this.resolve(this.messages);
    };
    if (this.consuming === undefined) done();
    else void this.consuming.then(done);
  }

  handleCopyData(): void {
    // A row after the end of COPY would be a protocol error, which pg reports.
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
