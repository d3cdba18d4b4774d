import { errors, type NatsConnection, type Status } from '@nats-io/nats-core';
import type { Outbound } from '@understudy/outbound';

import { ConnectionWatch, type ConnectionWatchOptions } from './connection-watch.js';

/** Receives the changes of a connection to NATS, each once. */
export interface NatsLinkReports {
  /** The connection was lost. If the client replaces it on purpose, `planned` is true. */
  lost(cause: string, planned: boolean): void;
  /** The connection is open again. `planned` is true if it was replaced on purpose, without a fault. */
  restored(planned: boolean): void;
  /** A sentence with host, port, cause and remedy. */
  unreachable(sentence: string): void;
  /** NATS reported an error that does not end the connection. */
  failed(message: string): void;
  /** NATS refused the client's credentials, at each attempt. Returns the cause and the remedy. */
  refused(message: string): string;
}

/** Follows a connection to NATS from the first attempt on, and explains why it is not open. */
export class NatsLinkWatch {
  private readonly probes: ConnectionWatch;
  private readonly errors = new Set<string>();
  private isOpen = false;
  private isPlanned = false;
  /** The last event that can end the connection. */
  private cause = CLOSED;

  constructor(
    outbound: Outbound,
    urls: readonly string[],
    private readonly reports: NatsLinkReports,
    options: ConnectionWatchOptions = {},
  ) {
    this.probes = new ConnectionWatch(outbound, urls, (sentence) => reports.unreachable(sentence), options);
    this.probes.down();
  }

  /** Why the connection is not open; undefined if it is open or the reason is not known yet. */
  get reason(): string | undefined {
    return this.probes.reason;
  }

  /** Takes the error of an attempt to open the first connection. */
  attemptFailed(error: Error): void {
    if (isRefusal(error)) this.probes.refused(this.reports.refused(error.message));
  }

  /**
   * Explains why NATS will refuse the next attempts, if the client knows it before NATS responds.
   * @param refusal the cause and the remedy
   */
  expectRefusal(refusal: string): void {
    this.probes.refused(refusal);
  }

  /** Follows an open connection until it is closed for good. */
  async follow(connection: NatsConnection): Promise<void> {
    this.isOpen = true;
    this.probes.up();
    for await (const status of connection.status()) this.take(status);
    this.isOpen = false;
    this.stop();
  }

  /** Ends the probes. */
  stop(): void {
    this.probes.up();
  }

  private take(status: Status): void {
    if (status.type === 'forceReconnect') this.isPlanned = true;
    // The client reports a refusal, and then the connection as silent, because it ends it in the same way.
    if (status.type === 'staleConnection' && this.cause === CLOSED) this.cause = 'no response in time';
    if (status.type === 'disconnect' && this.isOpen) this.lose();
    if (status.type === 'reconnect' && !this.isOpen) this.restore();
    if (status.type === 'error') this.fail(status.error);
  }

  private lose(): void {
    this.isOpen = false;
    this.probes.down();
    this.reports.lost(this.cause, this.isPlanned);
  }

  private restore(): void {
    const isQuiet = this.isPlanned && this.reason === undefined;
    this.isOpen = true;
    this.probes.up();
    this.errors.clear();
    this.reports.restored(isQuiet);
    this.isPlanned = false;
    this.cause = CLOSED;
  }

  private fail(error: Error): void {
    if (isRefusal(error)) {
      this.cause = error.message;
      this.probes.refused(this.reports.refused(error.message));
      return;
    }
    if (this.errors.has(error.message)) return;
    // The texts can contain subjects, so their number has a limit.
    if (this.errors.size < MAX_ERRORS) this.errors.add(error.message);
    this.reports.failed(error.message);
  }
}

function isRefusal(error: Error): boolean {
  return error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
}

const CLOSED = 'the connection was closed';
const MAX_ERRORS = 100;
