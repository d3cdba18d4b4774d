import { AsyncLocalStorage } from 'node:async_hooks';

import { Injectable } from '@nestjs/common';
import { DataSource, type EntitySubscriberInterface, type TransactionCommitEvent } from 'typeorm';

import { IdempotencyKeysService } from './idempotency-keys.service.js';
import type { Reservation } from './reservation.js';

/**
 * Records that a request with an idempotency key had an effect. Every transaction of such a request marks the
 * request's reservation just before it commits. Features do not need to know about idempotency keys.
 */
@Injectable()
export class EffectMarker implements EntitySubscriberInterface {
  private readonly current = new AsyncLocalStorage<Reservation>();

  constructor(
    dataSource: DataSource,
    private readonly keys: IdempotencyKeysService,
  ) {
    dataSource.subscribers.push(this);
  }

  /** Runs `work`. Every transaction that `work` commits counts as an effect of the request. */
  during<T>(reservation: Reservation, work: () => T): T {
    return this.current.run(reservation, work);
  }

  async beforeTransactionCommit({ manager }: TransactionCommitEvent): Promise<void> {
    const reservation = this.current.getStore();
    if (reservation && !reservation.isOver) await this.keys.markEffect(manager, reservation);
  }
}
