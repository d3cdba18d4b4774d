import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Configuration } from '../../config/configuration.js';
import type { Plan } from '../../config/plans.js';
import { randomSeeds } from '../../generation/random-seed.js';
import { RecentlyUsed } from '../../compute/recently-used.js';
import { queryPrepared } from '../../persistence/statements.js';
import { isEndpointId } from './mock-url.js';
import { CHECK_SERVED_ENDPOINT, FIND_SERVED_ENDPOINT } from '../mock-endpoints.sql.js';
import { AnswerMaker } from './answer-maker.js';
import { AnswerStock } from './answer-stock.js';
import { toServedEndpoint, type ServedEndpoint, type ServedEndpointRow } from './served-endpoint.js';

interface KeptEndpoint {
  readonly endpoint: ServedEndpoint;
  /** By the clock of `performance`. */
  checkedAt: number;
}

/** Estimated: an endpoint's answers made ahead, and what its texts become. */
const BYTES_OF_ONE = 256 * 1024;
const BYTES_PER_CHARACTER = 4;

/**
 * The endpoints that are being called, kept in memory. Rows never change, so all that another server may have done to one is
 * delete it: whether it is still there is asked when that was last known `freshMs` ago. Redis has no part in it.
 */
@Injectable()
export class ServedEndpoints {
  private readonly kept: RecentlyUsed<KeptEndpoint>;
  /** Calls that come meanwhile share the answer. */
  private readonly finding = new Map<string, Promise<ServedEndpoint | undefined>>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly maker: AnswerMaker,
    private readonly configuration: Configuration,
  ) {
    this.kept = new RecentlyUsed(configuration.mockEndpoints.cacheBytes);
  }

  /** @returns at once what is known to be there; undefined when there is no such endpoint */
  find(id: string): ServedEndpoint | undefined | Promise<ServedEndpoint | undefined> {
    const known = this.known(id);
    if (known) return known;
    const kept = this.kept.get(id);
    if (!kept && !isEndpointId(id)) return undefined;
    const finding = this.finding.get(id) ?? this.look(id, kept).finally(() => this.finding.delete(id));
    this.finding.set(id, finding);
    return finding;
  }

  /** @returns undefined when it would have to be looked for */
  known(id: string): ServedEndpoint | undefined {
    const kept = this.kept.get(id);
    const isFresh =
      kept !== undefined && performance.now() - kept.checkedAt < this.configuration.mockEndpoints.freshMs;
    return isFresh ? kept.endpoint : undefined;
  }

  forget(id: string): void {
    this.kept.delete(id);
  }

  private look(id: string, kept: KeptEndpoint | undefined): Promise<ServedEndpoint | undefined> {
    return kept ? this.check(id, kept) : this.read(id);
  }

  private async check(id: string, kept: KeptEndpoint): Promise<ServedEndpoint | undefined> {
    const askedAt = performance.now();
    const [row] = await queryPrepared<{ plan: Plan }>(this.dataSource, CHECK_SERVED_ENDPOINT, [id]);
    if (!row) {
      this.forget(id);
      return undefined;
    }
    kept.endpoint.plan = row.plan;
    kept.checkedAt = askedAt;
    return kept.endpoint;
  }

  private async read(id: string): Promise<ServedEndpoint | undefined> {
    const checkedAt = performance.now();
    const [row] = await queryPrepared<ServedEndpointRow>(this.dataSource, FIND_SERVED_ENDPOINT, [id]);
    if (!row) return undefined;
    const endpoint = toServedEndpoint(
      row,
      (own) => new AnswerStock((seeds, nowMs) => this.maker.makeBatch(own, seeds, nowMs), randomSeeds),
    );
    const characters = endpoint.definitionJson.length + row.compositionsJson.length;
    this.kept.set(id, { endpoint, checkedAt }, BYTES_OF_ONE + BYTES_PER_CHARACTER * characters);
    return endpoint;
  }
}
