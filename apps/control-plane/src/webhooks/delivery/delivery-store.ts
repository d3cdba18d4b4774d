import { randomInt } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { SERVER } from '../../platform/audit-log/audit-entry.js';
import { insertAuditEntry } from '../../platform/audit-log/insert-audit-entry.js';
import { Configuration } from '../../platform/config/configuration.js';
import { databaseNow } from '../../platform/persistence/database-values.js';
import { CLAIM_DELIVERY, LOCK_ORGANIZATION } from './claim-delivery.sql.js';
import { failPending } from './delivery-cleanup.js';
import { nextAttemptAt, retryAfterMs } from './next-attempt-at.js';
import type { Receipt, WebhookRequest } from './post-webhook.js';
import { RECORD_FAILURE, RECORD_SUCCESS, RECORD_TRY } from './record-try.sql.js';
import type { DeliveryStatus, RecordedTry, SentRequest } from './webhook-delivery.entity.js';
import type { DisabledReason } from '../endpoints/webhook-endpoint.entity.js';
import type { WebhookFormat } from '../formats/webhook-format.js';

/** A delivery that only this process may attempt now, with all data for the attempt. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly endpointId: string;
  /** The number of attempts before this one. */
  readonly attempts: number;
  readonly tries: readonly RecordedTry[];
  readonly url: string;
  readonly format: WebhookFormat;
  readonly sealedSecret: Buffer;
  readonly sealedPreviousSecret: Buffer | null;
  readonly previousSecretExpiresAt: Date | null;
  readonly eventId: string;
  /** The body in the format `standard`. */
  readonly body: string;
}

/**
 * A claim lasts for the request timeout plus this margin. If the process that claimed a delivery crashes,
 * another process can then claim it.
 */
const HOLD_MARGIN_MS = 5_000;
/**
 * The log of a delivery keeps only this number of newest attempts, because operators can retry without limit.
 */
const TRIES_KEPT = 20;
/** The status of a receiver that will never return (RFC 9110, section 15.5.11). */
const GONE = 410;

/**
 * Claims delivery attempts in PostgreSQL and records their results. Uses the database's clock only, because a wrong
 * clock of this process would delay deliveries, or end the claims of other processes.
 */
@Injectable()
export class DeliveryStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {}

  /**
   * @param isManualRetry whether an operator retries the delivery
   * @returns undefined if the delivery must not be attempted now: it is not due, an earlier one comes first,
   * or too many are running
   */
  claim(id: string, isManualRetry: boolean): Promise<ClaimedDelivery | undefined> {
    const { timeoutMs, concurrentPerEndpoint, concurrentPerOrganization } = this.configuration.webhooks;
    return this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_ORGANIZATION, [id]);
      const now = await databaseNow(manager);
      const heldUntil = new Date(now.getTime() + timeoutMs + HOLD_MARGIN_MS);
      const parameters = [
        id,
        now,
        heldUntil,
        concurrentPerEndpoint,
        concurrentPerOrganization,
        isManualRetry,
      ];
      const [[claimed]] = await manager.query<[ClaimedDelivery[], number]>(CLAIM_DELIVERY, parameters);
      return claimed;
    });
  }

  /**
   * Records an attempt. After a failure it plans the next attempt or fails the delivery. An endpoint that
   * failed for too long, or responded with 410, is disabled.
   */
  async record(
    { id, endpointId, attempts, tries, body }: ClaimedDelivery,
    { statusCode, error, retryAfter }: Receipt,
    { at, durationMs, request }: { at: Date; durationMs: number; request: WebhookRequest | null },
  ): Promise<void> {
    const made = { at: at.toISOString(), status_code: statusCode, error, duration_ms: durationMs };
    const log = JSON.stringify([...tries, made].slice(-TRIES_KEPT));
    const sent = request && JSON.stringify(sentRequest(request, body));
    await this.dataSource.transaction(async (manager) => {
      const now = await databaseNow(manager);
      // Locks the row of the endpoint before any delivery. Otherwise two failures could deadlock, because
      // disabling the endpoint also changes its other deliveries.
      if (error === null) {
        await manager.query(RECORD_SUCCESS, [endpointId]);
        const delivered: DeliveryStatus = 'delivered';
        await manager.query(RECORD_TRY, [id, attempts, log, delivered, null, now, sent]);
        return;
      }
      const { disableAfterMs } = this.configuration.webhooks;
      const reason: DisabledReason = statusCode === GONE ? 'gone' : 'failing';
      const since = reason === 'gone' ? now : new Date(now.getTime() - disableAfterMs);
      const parameters = [endpointId, now, since, reason];
      const [[endpoint]] = await manager.query<[FailingEndpoint[], number]>(RECORD_FAILURE, parameters);
      const isOver = endpoint?.disabled !== false; // by this failure, or concurrently by another request
      const failed = {
        tries: attempts + 1,
        at: now,
        jitter: randomInt(-1_000_000, 1_000_001) / 1_000_000,
        retryAfterMs: retryAfterMs(retryAfter, now),
      };
      const next = isOver ? undefined : nextAttemptAt(failed, this.configuration.webhooks.retryDelaysMs);
      const status: DeliveryStatus = next ? 'pending' : 'failed';
      await manager.query(RECORD_TRY, [id, attempts, log, status, next ?? null, null, sent]);
      if (!endpoint?.disabled) return;
      await failPending(manager, endpointId);
      await insertAuditEntry(manager, {
        ...{ organizationId: endpoint.organizationId, now, actor: SERVER, requestId: null },
        action: 'webhook.disabled',
        targetId: endpointId,
        details: { reason },
      });
    });
  }
}

/** Omits a body that is the text of the event, which is stored with the event. */
function sentRequest({ url, headers, body }: WebhookRequest, eventBody: string): SentRequest {
  return { url, headers, ...(body !== eventBody && { body }) };
}

interface FailingEndpoint {
  readonly disabled: boolean;
  readonly organizationId: string;
}
