import { setTimeout as sleep } from 'node:timers/promises';

import { type Outbound, serverOf } from '@understudy/outbound';

import { findConnectionFault, type ProbeOptions } from './probe-server.js';

export interface ConnectionWatchOptions extends ProbeOptions {
  /** Pause between two probes in milliseconds. The default is 2,000. */
  readonly pauseMs?: number;
}

/**
 * Explains why a client that reconnects by itself has no connection. While the connection is down, probes the
 * servers and reports each change of the reason once.
 */
export class ConnectionWatch {
  private reported: string | undefined;
  private refusal: string | undefined;
  private watching: AbortController | undefined;

  /**
   * @param urls the servers that the client tries
   * @param report receives a sentence with host, port, cause and remedy
   */
  constructor(
    private readonly outbound: Outbound,
    private readonly urls: readonly string[],
    private readonly report: (sentence: string) => void,
    private readonly options: ConnectionWatchOptions = {},
  ) {}

  /** The reason that was reported last; undefined while the connection is open or the first probe runs. */
  get reason(): string | undefined {
    return this.reported;
  }

  /** Starts the probes, unless they are already running. */
  down(): void {
    if (this.watching !== undefined) return;
    this.watching = new AbortController();
    void this.watch(this.watching.signal);
  }

  /**
   * Explains a server that the probes can reach.
   * @param refusal the cause and the remedy, as the client knows them from the server's response
   */
  refused(refusal: string): void {
    this.refusal = refusal;
  }

  /** Stops the probes. Call it when the connection is open or no longer needed. */
  up(): void {
    this.watching?.abort();
    this.watching = undefined;
    this.reported = undefined;
    this.refusal = undefined;
  }

  private async watch(signal: AbortSignal): Promise<void> {
    const { pauseMs = 2_000 } = this.options;
    let unexplained = 0;
    while (!signal.aborted) {
      const sentences = await Promise.all(this.urls.map((url) => this.explain(url)));
      if (signal.aborted) return;
      unexplained = sentences.includes(undefined) ? unexplained + 1 : 0;
      // The server may have returned just now, so the client has not yet had a chance to connect.
      if (unexplained !== 1)
        this.reportChange(sentences.map((sentence, index) => sentence ?? unknown(this.urls[index] ?? '')));
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined); // aborted by up()
    }
  }

  private reportChange(sentences: readonly string[]): void {
    const sentence = sentences.join('; ');
    if (sentence !== this.reported) this.report(sentence);
    this.reported = sentence;
  }

  private async explain(url: string): Promise<string | undefined> {
    const fault = await findConnectionFault(this.outbound, url, this.options);
    const reason = fault?.message ?? this.refusal;
    return reason === undefined ? undefined : sentenceOf(url, reason);
  }
}

/** Returns a sentence with the host and port of a URL, and the reason why the server cannot be reached. */
export async function explainUnreachable(
  outbound: Outbound,
  url: string,
  options: ProbeOptions = {},
): Promise<string> {
  const fault = await findConnectionFault(outbound, url, options);
  return fault === undefined ? unknown(url) : sentenceOf(url, fault.message);
}

function unknown(url: string): string {
  return sentenceOf(url, 'the server accepts connections, but did not respond as expected');
}

function sentenceOf(url: string, reason: string): string {
  const { host, port } = serverOf(url);
  return `cannot reach ${host}:${port}: ${reason}`;
}
