import { AsyncLocalStorage } from 'node:async_hooks';

import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntitySubscriberInterface, type TransactionCommitEvent } from 'typeorm';

import { IdempotencyKeysService } from './idempotency-keys.service.js';
import type { Reservation } from './reservation.js';

/**
 * Ties a reservation to the effect of its request: every transaction that the request commits marks the reservation, just
 * before the commit. Features know nothing of keys.
 */
@Injectable()
export class EffectMarker implements EntitySubscriberInterface {
  private readonly current = new AsyncLocalStorage<Reservation>();

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly keys: IdempotencyKeysService,
  ) {
    dataSource.subscribers.push(this);
  }

  /** What the work commits counts as the effect of the request. */
  during<T>(reservation: Reservation, work: () => T): T {
    return this.current.run(reservation, work);
  }

  async beforeTransactionCommit({ manager }: TransactionCommitEvent): Promise<void> {
    const reservation = this.current.getStore();
    if (reservation && !reservation.isOver) await this.keys.markEffect(manager, reservation);
  }
}
