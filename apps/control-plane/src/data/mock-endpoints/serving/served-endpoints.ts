import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Configuration } from '../../../platform/config/configuration.js';
import type { Plan } from '../../../platform/config/plans.js';
import { randomSeeds } from '../../generation/random-seed.js';
import { RecentlyUsed } from '../../compute/recently-used.js';
import { queryPrepared } from '../../../platform/persistence/statements.js';
import { isEndpointId } from './mock-url.js';
import { reservedHeaders } from '../response-headers.js';
import { CHECK_SERVED_ENDPOINT, FIND_SERVED_ENDPOINT } from '../mock-endpoints.sql.js';
import { ResponseGenerator } from './response-generator.js';
import { ResponseBuffer } from './response-buffer.js';
import { toServedEndpoint, type ServedEndpoint, type ServedEndpointRow } from './served-endpoint.js';

interface KeptEndpoint {
  readonly endpoint: ServedEndpoint;
  /** Milliseconds of the clock `performance.now`. */
  checkedAt: number;
}

/**
 * Estimates of the memory of one endpoint: a fixed part for its buffered responses, and a part for each
 * character of its JSON texts.
 */
const BYTES_OF_ONE = 256 * 1024;
const BYTES_PER_CHARACTER = 4;

/**
 * Keeps the endpoints that are being called in memory. Rows are immutable, but another server can delete one.
 * If the last check of an endpoint is at least `freshMs` old, the next call checks whether the row still
 * exists, and reads the plan. Redis is not involved.
 */
@Injectable()
export class ServedEndpoints {
  private readonly logger = new Logger('mock');
  private readonly kept: RecentlyUsed<KeptEndpoint>;
  /** The running queries. Concurrent calls of an endpoint share one. */
  private readonly finding = new Map<string, Promise<ServedEndpoint | undefined>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly generator: ResponseGenerator,
    private readonly configuration: Configuration,
  ) {
    this.kept = new RecentlyUsed(configuration.mockEndpoints.cacheBytes);
  }

  /**
   * Returns the endpoint without a promise if the copy in memory is fresh. Undefined means that the endpoint
   * does not exist.
   */
  find(id: string): ServedEndpoint | undefined | Promise<ServedEndpoint | undefined> {
    const known = this.known(id);
    if (known) return known;
    const kept = this.kept.get(id);
    if (!kept && !isEndpointId(id)) return undefined;
    const finding = this.finding.get(id) ?? this.lookUp(id, kept).finally(() => this.finding.delete(id));
    this.finding.set(id, finding);
    return finding;
  }

  /** @returns undefined if the database must be queried */
  known(id: string): ServedEndpoint | undefined {
    const kept = this.kept.get(id);
    const isFresh =
      kept !== undefined && performance.now() - kept.checkedAt < this.configuration.mockEndpoints.freshMs;
    return isFresh ? kept.endpoint : undefined;
  }

  forget(id: string): void {
    this.kept.delete(id);
  }

  private lookUp(id: string, kept: KeptEndpoint | undefined): Promise<ServedEndpoint | undefined> {
    return kept ? this.check(id, kept) : this.read(id);
  }

  private async check(id: string, kept: KeptEndpoint): Promise<ServedEndpoint | undefined> {
    const queriedAt = performance.now();
    const [row] = await queryPrepared<{ plan: Plan }>(this.dataSource, CHECK_SERVED_ENDPOINT, [id]);
    if (!row) {
      this.forget(id);
      return undefined;
    }
    kept.endpoint.plan = row.plan;
    kept.checkedAt = queriedAt;
    return kept.endpoint;
  }

  private async read(id: string): Promise<ServedEndpoint | undefined> {
    const checkedAt = performance.now();
    const [row] = await queryPrepared<ServedEndpointRow>(this.dataSource, FIND_SERVED_ENDPOINT, [id]);
    if (!row) return undefined;
    const endpoint = toServedEndpoint(
      row,
      (own) =>
        new ResponseBuffer((seeds, nowMs) => this.generator.generateBatch(own, seeds, nowMs), randomSeeds),
    );
    const unsent = reservedHeaders(endpoint.response);
    if (unsent.length > 0)
      this.logger.warn({ endpoint_id: id, headers: unsent, msg: 'reserved headers are not sent' });
    const characters = endpoint.definitionJson.length + row.compositionsJson.length;
    this.kept.set(id, { endpoint, checkedAt }, BYTES_OF_ONE + BYTES_PER_CHARACTER * characters);
    return endpoint;
  }
}
