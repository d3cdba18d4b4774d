import { Injectable } from '@nestjs/common';
import { writeExactJson } from '@understudy/expression';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration } from '../config/configuration.js';
import { ApiError, validationError } from '../http/errors/api-error.js';
import { RepeatingService } from '../job-queue/repeating-task.js';
import { DatabaseWaits } from '../persistence/database-waits.js';
import {
  FIND_KEY,
  FORGET_EXPIRED_KEYS,
  KEEP_RESPONSE,
  MARK_EFFECT,
  RELEASE_KEY,
  RESERVE_KEY,
} from './idempotency-keys.sql.js';
import { changedRows } from '../persistence/statements.js';
import type { KeptResponse, KeyUse, Reservation } from './reservation.js';

const BATCH = 1_000;

/**
 * The idempotency keys of clients, in PostgreSQL, so that every server knows them.
 *
 * A request reserves its key first, marks the key in the transaction of its effect, and stores its response
 * afterwards. If another request has taken over the reservation, the mark fails and the effect is rolled
 * back. So at most one of all requests with a key has an effect, even if a server is killed.
 */
@Injectable()
export class IdempotencyKeysService extends RepeatingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {
    super(configuration.idempotency.sweepMs);
  }

  /**
   * @param holder the unique id of the request
   * @returns the reservation for this request, or the response to the first request
   * @throws ApiError `validation_error` if the key was used with another body, `conflict` while the first
   * request runs or if its response was lost
   */
  async reserve(use: KeyUse, holder: string): Promise<Reservation | KeptResponse> {
    const { organizationId, operation, keyHash, fingerprint } = use;
    const { holdMs, keepMs } = this.configuration.idempotency;
    const key = [organizationId, operation, keyHash];
    const reserved = await this.dataSource.query<unknown[]>(RESERVE_KEY, [
      ...key,
      fingerprint,
      holder,
      holdMs,
      keepMs,
    ]);
    if (reserved.length > 0) return { organizationId, operation, keyHash, holder, isOver: false };
    const [kept] = await this.dataSource.query<KeyRow[]>(FIND_KEY, key);
    if (!kept) throw inFlight(); // released between the two queries
    if (!kept.fingerprint.equals(fingerprint)) throw otherBody();
    if (kept.status !== null) return { status: kept.status, data: kept.answer, meta: kept.meta };
    throw kept.hasEffect && !kept.isHeld ? responseLost() : inFlight();
  }

  /**
   * Records in the key's row that the request had an effect. It must be the last statement of the transaction
   * that has the effect.
   * @throws ApiError `conflict` if another request has taken over the key
   */
  async markEffect(manager: Pick<EntityManager, 'query'>, reservation: Reservation): Promise<void> {
    const [marked] = await manager.query<[unknown[], number]>(MARK_EFFECT, keyOf(reservation));
    if (marked.length === 0) throw inFlight();
  }

  /**
   * Stores the response. A failure is only logged, because the effect is already committed and the caller
   * gets the response anyway.
   */
  async keep(reservation: Reservation, { status, data, meta }: KeptResponse): Promise<void> {
    await this.finish(reservation, KEEP_RESPONSE, [status, writeExactJson(data), meta]);
  }

  /** Releases the key of a failed request, even if the request may not wait for PostgreSQL any more. Never rejects. */
  release(reservation: Reservation): Promise<void> {
    return new DatabaseWaits().during(() => this.finish(reservation, RELEASE_KEY, []));
  }

  private async finish(reservation: Reservation, statement: string, more: readonly unknown[]): Promise<void> {
    reservation.isOver = true;
    await this.dataSource.query(statement, [...keyOf(reservation), ...more]).catch((error: unknown) => {
      this.logger.warn(
        `an idempotency key stays reserved until it expires: ${error instanceof Error ? error.name : 'unknown'}`,
      );
    });
  }

  protected async runTask(): Promise<void> {
    await this.inBatches(BATCH, () => changedRows(this.dataSource, FORGET_EXPIRED_KEYS, [BATCH]));
  }
}

interface KeyRow {
  readonly fingerprint: Buffer;
  readonly status: number | null;
  readonly answer: unknown;
  readonly meta: KeptResponse['meta'];
  readonly hasEffect: boolean;
  readonly isHeld: boolean;
}

function keyOf({ organizationId, operation, keyHash, holder }: Reservation): unknown[] {
  return [organizationId, operation, keyHash, holder];
}

function inFlight(): ApiError {
  const message = 'A request with this Idempotency-Key is in progress. Try again shortly.';
  return new ApiError('conflict', message, { retryAfterSeconds: 1 });
}

function responseLost(): ApiError {
  return new ApiError(
    'conflict',
    'The first request with this Idempotency-Key succeeded, but its response was lost. The request is not repeated. Find its result in the list of resources.',
  );
}

function otherBody(): ApiError {
  return validationError([
    {
      field: 'Idempotency-Key',
      message: 'was used for another request: expected the path and body of the first request, or a new key',
    },
  ]);
}
