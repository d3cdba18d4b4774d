import { once } from 'node:events';
import type { Client, Connection, Submittable } from 'pg';

/** A running `COPY … FROM STDIN`. */
export interface CopyIn {
  /**
   * Sends a chunk.
   * @param onSent called when the caller may reuse the chunk's bytes
   * @returns a promise to wait for if many bytes are unsent; it rejects if the COPY has failed
   */
  write(chunk: Uint8Array, onSent?: () => void): Promise<void> | undefined;
  /** Ends the COPY. @returns the number of rows that the server counted */
  finish(): Promise<number>;
  /** Aborts the COPY. The server discards the rows, and the connection accepts a ROLLBACK. Never rejects. */
  abandon(): Promise<void>;
}

/** Starts `COPY … FROM STDIN`. Rejects with the server's error if the server does not start the COPY. */
export async function startCopyIn(client: Client, sql: string): Promise<CopyIn> {
  const query = new CopyInQuery(sql);
  client.query(query);
  await Promise.race([query.started, query.ended]);
  return query;
}

/** If at least this number of bytes is unsent, `write` returns a promise, so that the caller waits. */
const MAX_WAITING_BYTES = 512 * 1024;

const COPY_DATA = 0x64;
/** The message CopyFail with an empty text. */
const COPY_FAIL = Buffer.from([0x66, 0, 0, 0, 5, 0]);
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);

class CopyInQuery implements Submittable, CopyIn {
  readonly started: Promise<void>;
  readonly ended: Promise<number>;
  private connection: Connection | undefined;
  private failed: { error: unknown } | undefined;
  private rows = 0;
  private begin: () => void = () => undefined;
  private end: (rows: number) => void = () => undefined;
  private refuse: (error: unknown) => void = () => undefined;

  constructor(private readonly sql: string) {
    this.started = new Promise((resolve) => {
      this.begin = resolve;
    });
    this.ended = new Promise((resolve, reject) => {
      this.end = resolve;
      this.refuse = reject;
    });
    // `write` and `finish` report the error. Without this line, an early error would end the process.
    this.ended.catch(() => undefined);
  }

  submit(connection: Connection): void {
    this.connection = connection;
    connection.query(this.sql);
  }

  write(chunk: Uint8Array, onSent?: () => void): Promise<void> | undefined {
    if (this.failed !== undefined) return Promise.reject(this.failed.error);
    const stream = this.connection?.stream;
    if (stream === undefined || chunk.length === 0) {
      onSent?.();
      return undefined;
    }
    const header = Buffer.alloc(5);
    header[0] = COPY_DATA;
    header.writeUInt32BE(chunk.length + 4, 1);
    this.sendAfterTurn(stream);
    stream.write(header);
    stream.write(chunk, onSent);
    if (stream.writableLength < MAX_WAITING_BYTES) return undefined;
    return Promise.race([once(stream, 'drain'), this.ended]).then(() => undefined);
  }

  /** Sends everything that is written in this turn of the event loop with one call of the operating system. */
  private sendAfterTurn(stream: Connection['stream']): void {
    if (stream.writableCorked > 0) return;
    stream.cork();
    setImmediate(() => {
      stream.uncork();
    });
  }

  finish(): Promise<number> {
    if (this.failed === undefined) this.connection?.stream.write(COPY_DONE);
    return this.ended;
  }

  async abandon(): Promise<void> {
    if (this.failed === undefined) this.connection?.stream.write(COPY_FAIL);
    await this.ended.catch(() => undefined);
  }

  handleCopyInResponse(): void {
    this.begin();
  }

  handleError(error: unknown): void {
    this.failed = { error };
    this.refuse(error);
  }

  handleCommandComplete(message: { text: string }): void {
    this.rows = Number(/^COPY (\d+)/.exec(message.text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.end(this.rows);
  }
}
