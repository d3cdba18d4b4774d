import { setTimeout as sleep } from 'node:timers/promises';

import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { jwtAuthenticator, type NatsConnection } from '@nats-io/nats-core';
import { NatsLinkWatch } from '@understudy/connection-fault';
import { agentInboxPrefix } from '@understudy/agent-protocol/transport';
import { closeNats, connectNats, Outbound, replaceNats } from '@understudy/outbound';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import {
  EnrolmentError,
  newNonce,
  renew,
  retryDelayMs,
  type AgentCredentials,
} from '../identity/enrolment-client.js';
import { checkNatsAddresses, isRenewalDue } from './credentials.js';

/** The state of the link, which `understudy-agent status` prints. */
export interface LinkState {
  readonly isConnected: boolean;
  /** When the connection was opened or lost. */
  readonly since: Date;
  /** The cause and the remedy while there is no connection, if they are known. */
  readonly reason: string | undefined;
  /** The end of the validity of the credential. */
  readonly validUntil: Date | undefined;
}

/** Holds the agent's only connection to NATS and renews the short-lived JWT that opens it. */
@Injectable()
export class AgentConnection implements OnApplicationShutdown {
  private readonly logger = new Logger(AgentConnection.name);
  private readonly seed: Uint8Array;
  private credentials: (AgentCredentials & { readonly issuedAt: Date }) | undefined;
  /** The time of the last renewal, of the monotonic clock. */
  private renewedAtMs = -Infinity;
  private opening: Promise<NatsConnection> | undefined;
  private connection: NatsConnection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;
  /**
   * The number of renewals refused in a row, the last reported reason, and the earliest time to retry. This time is of
   * the monotonic clock: a renewal that a wrong wall clock has caused to fail must follow soon after its correction.
   */
  private failures = { refusals: 0, reported: '', retryAtMs: 0 };
  private link: NatsLinkWatch | undefined;
  private readonly stopping = new AbortController();
  private readonly instance = newNonce();
  private supersede: (error: EnrolmentError) => void = () => undefined;
  /** Resolves when a newer process has taken over the identity of this agent. This process must end then. */
  readonly whenSuperseded = new Promise<EnrolmentError>((resolve) => (this.supersede = resolve));
  private revoke: () => void = () => undefined;
  /** Resolves when the control plane has answered that the agent is revoked. */
  readonly whenRevoked = new Promise<void>((resolve) => (this.revoke = resolve));
  private isConnected = false;
  private changedAt = new Date();

  constructor(
    private readonly configuration: AgentConfiguration,
    private readonly outbound: Outbound,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {
    this.seed = new TextEncoder().encode(identity.natsSeed);
  }

  /** Opens the connection at the first call. Retries until the control plane and NATS are reachable. */
  open(): Promise<NatsConnection> {
    return (this.opening ??= this.openConnection());
  }

  /** The connection, or undefined while it is not open. */
  get current(): NatsConnection | undefined {
    return this.connection?.isClosed() === false ? this.connection : undefined;
  }

  get state(): LinkState {
    const { isConnected, changedAt: since, credentials } = this;
    const reason = isConnected ? undefined : this.link?.reason || this.failures.reported || undefined;
    return { isConnected, since, reason, validUntil: credentials?.expiresAt };
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    this.link?.stop();
    await closeNats(this.connection);
  }

  private async openConnection(): Promise<NatsConnection> {
    while (this.credentials === undefined) {
      await this.renew();
      if (this.stopping.signal.aborted) throw new Error('stopped before the control plane was reached');
      if (this.credentials === undefined) await sleep(this.failures.retryAtMs - performance.now());
    }
    const { natsUrls } = this.credentials;
    checkNatsAddresses(natsUrls);
    const link = this.watchLink(natsUrls);
    this.link = link;
    // NATS may be away for longer than the JWT is valid.
    this.timer = setInterval(() => void this.renewWhenDue(), CHECK_MS);
    const connection = await connectNats(this.outbound, {
      urls: natsUrls,
      name: `understudy-agent ${this.identity.agentId}`,
      inboxPrefix: agentInboxPrefix(this.identity.agentId),
      authenticator: jwtAuthenticator(() => this.validJwt, this.seed),
      // Use only addresses that checkNatsAddresses has checked, not others that the server announces.
      onlyTheseUrls: true,
      // NATS refuses an expired JWT, so the timer must replace it first.
      retryDelayMs: () => (this.hasExpired ? EXPIRED_RETRY_MS : RETRY_MS * (1 + Math.random() / 5)),
      onFailure: (error) => link.attemptFailed(error),
      signal: this.stopping.signal,
    });
    this.connection = connection;
    this.changed(true);
    void link.follow(connection);
    this.logger.log(`connected as ${this.identity.agentId}`);
    return connection;
  }

  private watchLink(natsUrls: readonly string[]): NatsLinkWatch {
    return new NatsLinkWatch(this.outbound, natsUrls, {
      lost: (cause, planned) => {
        if (!planned) this.logger.warn(`disconnected from NATS: ${cause}`);
        // NATS may close the connection without a reason, and the next attempt is some seconds away.
        if (this.hasExpired) this.link?.expectRefusal(this.explainRefusal(cause));
        this.changed(false);
        void this.renewWhenDue();
      },
      restored: (planned) => {
        if (!planned) this.logger.log('reconnected to NATS');
        this.changed(true);
      },
      unreachable: (sentence) => this.logger.warn(sentence),
      failed: (message) => this.logger.warn(`NATS: ${message}`),
      refused: (message) => {
        void this.renewRefused();
        return this.explainRefusal(message);
      },
    });
  }

  /**
   * The JWT, or an empty text if it has expired. NATS counts whole seconds, so it could accept an expired JWT once
   * more and then close the connection again.
   */
  private get validJwt(): string {
    return this.hasExpired ? '' : (this.credentials?.natsJwt ?? '');
  }

  /** Whether the credential has expired, or expires within a second. */
  private get hasExpired(): boolean {
    return this.credentials !== undefined && this.credentials.expiresAt.getTime() <= Date.now() + 1_000;
  }

  private explainRefusal(message: string): string {
    const until = this.credentials?.expiresAt.toISOString() ?? 'never';
    if (this.hasExpired)
      return `NATS refuses the credential, which expired at ${until}; the agent connects when the control plane has renewed it`;
    return `NATS refuses the credential (${message}), which is valid until ${until}; check that this agent is not revoked, that NATS belongs to this control plane, and the clock of NATS`;
  }

  private async renewWhenDue(): Promise<void> {
    const now = new Date();
    if (this.credentials === undefined || !isRenewalDue(this.credentials, { now })) return;
    if (performance.now() < this.failures.retryAtMs) return;
    const before = this.credentials;
    await this.renew();
    // The server closes a connection when the JWT that opened it expires. Reconnect with the new JWT before
    // the old JWT expires.
    if (this.credentials !== before && this.connection !== undefined) await replaceNats(this.connection);
  }

  /**
   * Renews before the JWT is due, because NATS has refused it. The response shows whether the agent is revoked, or
   * whether a newer process has taken over.
   */
  private async renewRefused(): Promise<void> {
    if (performance.now() < Math.max(this.failures.retryAtMs, this.renewedAtMs + CHECK_MS)) return;
    await this.renew();
  }

  private changed(isConnected: boolean): void {
    this.isConnected = isConnected;
    this.changedAt = new Date();
  }

  private renew(): Promise<void> {
    return (this.renewing ??= this.renewOnce().finally(() => (this.renewing = undefined)));
  }

  private async renewOnce(): Promise<void> {
    const issuedAt = new Date();
    try {
      const instance = { id: this.instance, takesOver: this.credentials === undefined };
      const credentials = await renew(
        this.outbound,
        this.configuration.controlUrl,
        this.identity,
        instance,
        issuedAt,
      );
      this.credentials = { ...credentials, issuedAt };
      this.renewedAtMs = performance.now();
      this.failures = { refusals: 0, reported: '', retryAtMs: 0 };
    } catch (error) {
      if (error instanceof EnrolmentError && error.reason === 'superseded') return this.supersede(error);
      if (error instanceof EnrolmentError && error.reason === 'revoked') this.revoke();
      // The timer retries. Until then the old JWT may still be valid.
      const reason = error instanceof Error ? error.message : 'unknown error';
      if (withoutSeconds(reason) !== withoutSeconds(this.failures.reported))
        this.logger.error(`the credentials could not be renewed: ${reason}`);
      // Only refusals slow the agent down. It must return soon after an unreachable control plane has returned.
      const isRefused = error instanceof EnrolmentError && error.refused;
      const refusals = isRefused ? this.failures.refusals + 1 : 0;
      const retryAtMs = performance.now() + retryDelayMs(Math.max(1, refusals));
      this.failures = { refusals, reported: reason, retryAtMs };
    }
  }
}

/** Removes durations in seconds. The difference of two clocks is slightly different in each refusal. */
function withoutSeconds(reason: string): string {
  return reason.replace(/\b\d+ s\b/g, '');
}

const CHECK_MS = 5_000;
const RETRY_MS = 500;
const EXPIRED_RETRY_MS = 5_000;
