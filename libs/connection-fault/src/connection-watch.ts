import { setTimeout as sleep } from 'node:timers/promises';

import { findConnectionFault, type ProbeOptions, serverOf } from './find-connection-fault.js';

export interface ConnectionWatchOptions extends ProbeOptions {
  /** Pause between two probes in milliseconds. The default is 5,000. */
  readonly pauseMs?: number;
}

/**
 * Explains why a client that reconnects by itself has no connection. While the connection is down, probes the
 * servers and reports each change of the reason once.
 */
export class ConnectionWatch {
  private reported: string | undefined;
  private watching: AbortController | undefined;

  /**
   * @param urls the servers that the client tries
   * @param report receives a sentence with host, port, cause and remedy
   */
  constructor(
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

  /** Stops the probes. Call it when the connection is open or no longer needed. */
  up(): void {
    this.watching?.abort();
    this.watching = undefined;
    this.reported = undefined;
  }

  private async watch(signal: AbortSignal): Promise<void> {
    const { pauseMs = 5_000 } = this.options;
    while (!signal.aborted) {
      const sentence = await this.explain();
      if (signal.aborted) return;
      if (sentence !== this.reported) this.report(sentence);
      this.reported = sentence;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined); // aborted by up()
    }
  }

  private async explain(): Promise<string> {
    const sentences = await Promise.all(this.urls.map((url) => explainUnreachable(url, this.options)));
    return sentences.join('; ');
  }
}

/** Returns a sentence with the host and port of a URL, and the reason why the server cannot be reached. */
export async function explainUnreachable(url: string, options: ProbeOptions = {}): Promise<string> {
  const fault = await findConnectionFault(url, options);
  const reason = fault?.message ?? 'the server accepts connections, but did not respond as expected';
  const { host, port } = serverOf(url);
  return `cannot reach ${host}:${port}: ${reason}`;
}
