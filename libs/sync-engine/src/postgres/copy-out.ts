import type { Client, Connection, Submittable } from 'pg';

/**
 * Takes a piece of the stream, cut anywhere, and the number of rows that have begun. The piece is the consumer's to keep.
 * @returns a promise while it cannot take more: nothing is read from the server meanwhile
 */
export type CopyConsumer = (chunk: Uint8Array, rows: number) => Promise<void> | undefined;

/**
 * Runs `COPY … TO STDOUT` and hands its bytes to `consume`. Resolves to the number of rows when all are consumed.
 * Rejects with the server's or the connection's error, or with the consumer's (the connection is then of no more use).
 *
 * A server sends one CopyData message a row; this takes the frames off in the socket's own buffer, so that rows reach the
 * consumer in pieces of a socket read and not one by one.
 */
export function copyOut(client: Client, sql: string, consume: CopyConsumer): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyOutQuery(sql, consume, resolve, reject));
  });
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
  private rows = 0;
  private consuming: Promise<void> | undefined;

  constructor(
    private readonly sql: string,
    private readonly consume: CopyConsumer,
    private readonly resolve: (rows: number) => void,
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
    let at = 0;
    let written = 0;
    let rest: Buffer | undefined;
    while (at < chunk.length) {
      if (this.remaining > 0) {
        const count = Math.min(this.remaining, chunk.length - at);
        if (this.code === COPY_DATA) {
          chunk.copyWithin(written, at, at + count);
          written += count;
        }
        at += count;
        this.remaining -= count;
      } else if (this.headerBytes === 0) {
        this.code = chunk[at] as number;
        if (this.code !== COPY_DATA && !SKIPPED.has(this.code)) {
          rest = chunk.subarray(at);
          break;
        }
        if (this.code === COPY_DATA) this.rows++;
        if (chunk.length - at >= 5) {
          this.remaining = chunk.readUInt32BE(at + 1) - 4;
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
    if (written > 0) this.pass(chunk.subarray(0, written));
    if (rest !== undefined) this.handBack(rest);
  }

  private pass(bytes: Uint8Array): void {
    try {
      const busy = this.consume(bytes, this.rows);
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
    } catch (error) {
      this.fail(error);
    }
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
      this.resolve(this.rows);
    };
    if (this.consuming === undefined) done();
    else void this.consuming.then(done, this.reject);
  }

  handleCopyData(): void {
    // a piece that arrived after the hand-back would be a protocol error; pg reports it
  }
}
