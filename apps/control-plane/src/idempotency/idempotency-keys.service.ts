import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

import { Configuration } from '../config/configuration.js';
import { ApiError, validationError } from '../http/errors/api-error.js';
import { RepeatingService } from '../job-queue/repeating-task.js';
import {
  FIND_KEY,
  FORGET_EXPIRED_KEYS,
  KEEP_ANSWER,
  MARK_EFFECT,
  RELEASE_KEY,
  RESERVE_KEY,
} from './idempotency-keys.sql.js';
import type { KeptAnswer, KeyUse, Reservation } from './reservation.js';

/**
 * Keys that clients gave requests, in Postgres, so that every server knows them.
 *
 * A request reserves its key first, marks it in the transaction of its effect, and leaves its answer there afterwards. The
 * mark is refused when the reservation was taken over meanwhile, which rolls the effect back: of all the requests with a key
 * at most one has an effect, wherever a server is killed.
 */
@Injectable()
export class IdempotencyKeysService extends RepeatingService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {
    super(configuration.idempotency.sweepMs);
  }

  /**
   * @param holder id of the request, used by no other
   * @returns the key for this request to use, or the answer to the first one
   * @throws ApiError `validation_error` when it came with another body, `conflict` while or when there is no answer
   */
  async reserve(use: KeyUse, holder: string): Promise<Reservation | KeptAnswer> {
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
    if (!kept) throw inFlight(); // released between the two
    if (!kept.fingerprint.equals(fingerprint)) throw otherBody();
    if (kept.status !== null) return { status: kept.status, data: kept.answer, meta: kept.meta };
    throw kept.hasEffect && !kept.isHeld ? answerLost() : inFlight();
  }

  /** In the transaction of the effect, last. @throws ApiError `conflict` when another request has taken the key over */
  async markEffect(manager: Pick<EntityManager, 'query'>, reservation: Reservation): Promise<void> {
    const [marked] = await manager.query<[unknown[], number]>(MARK_EFFECT, keyOf(reservation));
    if (marked.length === 0) throw inFlight();
  }

  /** The effect is there whether this succeeds or not: the caller gets the answer all the same. */
  async keep(reservation: Reservation, { status, data, meta }: KeptAnswer): Promise<void> {
    await this.finish(reservation, KEEP_ANSWER, [status, JSON.stringify(data), meta]);
  }

  async release(reservation: Reservation): Promise<void> {
    await this.finish(reservation, RELEASE_KEY, []);
  }

  private async finish(reservation: Reservation, statement: string, more: readonly unknown[]): Promise<void> {
    reservation.isOver = true;
    await this.dataSource.query(statement, [...keyOf(reservation), ...more]).catch((error: unknown) => {
      this.logger.warn(`a key stays held: ${error instanceof Error ? error.name : 'unknown'}`);
    });
  }

  protected async runTask(): Promise<void> {
    await this.dataSource.query(FORGET_EXPIRED_KEYS);
  }
}

interface KeyRow {
  readonly fingerprint: Buffer;
  readonly status: number | null;
  readonly answer: unknown;
  readonly meta: KeptAnswer['meta'];
  readonly hasEffect: boolean;
  readonly isHeld: boolean;
}

function keyOf({ organizationId, operation, keyHash, holder }: Reservation): unknown[] {
  return [organizationId, operation, keyHash, holder];
}

function inFlight(): ApiError {
  const message = 'A request with this Idempotency-Key is being carried out. Try again shortly.';
  return new ApiError('conflict', message, { retryAfterSeconds: 1 });
}

function answerLost(): ApiError {
  return new ApiError(
    'conflict',
    'The first request with this Idempotency-Key was carried out, but its answer was lost. Nothing is done again: look for what it made in the list.',
  );
}

function otherBody(): ApiError {
  return validationError([
    {
      field: 'Idempotency-Key',
      message:
        'was used for another request: expected the same path and body as the first time, or a new key',
    },
  ]);
}
