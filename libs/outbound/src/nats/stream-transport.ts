import type { Duplex } from 'node:stream';

import type { ConnectionOptions, Server, Transport } from '@nats-io/nats-core/internal';

import type { NatsStream } from './open-nats.js';

/** The option by which a connection passes its way of opening streams to its transports. */
export interface StreamOptions extends ConnectionOptions {
  openStream(server: Server, signal: AbortSignal): Promise<NatsStream>;
}

/**
 * One connection of the NATS client, over any stream. It ends as soon as the client gives the connection up.
 * The library's own transports first wait for bytes in their buffer, which a silently dropped connection never
 * takes.
 */
export class StreamTransport implements Transport {
  readonly lang = 'understudy';
  readonly version = '1';
  closeError?: Error;
  private readonly opening = new AbortController();
  private readonly chunks: Uint8Array[] = [];
  private readonly lost: ReturnType<Transport['closed']>;
  private reportLoss: (error?: Error) => void = () => undefined;
  private wake: () => void = () => undefined;
  private stream: Duplex | undefined;
  private encrypted = false;
  private done = false;

  constructor() {
    this.lost = new Promise((resolve) => (this.reportLoss = resolve));
  }

  async connect(server: Server, options: ConnectionOptions): Promise<void> {
    const opened = await (options as StreamOptions).openStream(server, this.opening.signal);
    this.encrypted = opened.encrypted;
    this.stream = opened.stream;
    this.chunks.push(opened.head);
    let failure: Error | undefined;
    opened.stream
      .on('data', (chunk: Buffer) => {
        this.chunks.push(chunk);
        this.wake();
      })
      .on('error', (error: Error) => (failure = error))
      .on('end', () => this.lose(failure))
      .on('close', () => this.lose(failure))
      .resume();
    if (this.done) opened.stream.destroy();
  }

  get isClosed(): boolean {
    return this.done;
  }

  isEncrypted(): boolean {
    return this.encrypted;
  }

  send(frame: Uint8Array): void {
    // A failed write needs no report, because the stream also emits `close`.
    if (!this.done) this.stream?.write(frame);
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    for (;;) {
      for (let chunk = this.chunks.shift(); chunk !== undefined; chunk = this.chunks.shift()) yield chunk;
      if (this.done) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Resolves when the connection is lost. Stays pending if the client itself closed the connection. */
  closed(): ReturnType<Transport['closed']> {
    return this.lost;
  }

  /** Ends a connection that the client wants to replace. */
  disconnect(): void {
    this.lose(undefined);
  }

  async close(error?: Error): Promise<void> {
    if (error !== undefined) this.closeError = error;
    this.end();
  }

  discard(): void {
    this.end();
  }

  private lose(error: Error | undefined): void {
    if (this.done) return;
    if (error !== undefined) this.closeError = error;
    this.end();
    this.reportLoss(error);
  }

  private end(): void {
    this.done = true;
    this.opening.abort();
    this.stream?.destroy();
    this.wake();
  }
}
