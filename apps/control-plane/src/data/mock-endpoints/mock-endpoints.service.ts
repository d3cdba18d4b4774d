import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { Configuration } from '../../platform/config/configuration.js';
import { ResponseGenerator } from './serving/response-generator.js';
import { ApiError, noSuch } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import { DataWithMeta } from '../../platform/http/pipeline/envelope.js';
import type { Deleted } from '../../platform/http/operations/schemas.js';
import { pageOf, type Paged, type PageQuery } from '../../platform/http/dto/page.dto.js';
import { CustomModelsService } from '../models/custom/custom-models.service.js';
import { onUniqueViolation } from '../../platform/persistence/statements.js';
import { QuotasService } from '../../accounts/usage/quotas.service.js';
import { acceptMockEndpoint, type AcceptedEndpoint } from './accept-mock-endpoint.js';
import type { CreateMockEndpointDto } from './create-mock-endpoint.dto.js';
import { newEndpointId } from './serving/mock-url.js';
import {
  toListedMockEndpoint,
  toMockEndpointResponse,
  type ListedMockEndpoint,
  type ListedMockEndpointResponse,
  type MockEndpointResponse,
} from './mock-endpoint-response.js';
import { MockEndpointEntity } from './mock-endpoint.entity.js';
import { LIST_MOCK_ENDPOINTS, REQUESTS_OF_DAY } from './mock-endpoints.sql.js';
import { dayOf } from '../../accounts/usage/billing-cycle.js';
import { ServedEndpoints } from './serving/served-endpoints.js';

/**
 * Manages the mock endpoints of the caller's organisation. Endpoints of another organisation are not found.
 */
@Injectable()
export class MockEndpointsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly responses: ResponseGenerator,
    private readonly models: CustomModelsService,
    private readonly quotas: QuotasService,
    private readonly served: ServedEndpoints,
    private readonly configuration: Configuration,
  ) {}

  /**
   * @throws ApiError `validation_error` or `limit_exceeded` for an invalid definition, `conflict` if the
   * organisation already has an endpoint of this method and path, `quota_exceeded` if the plan allows no more
   * endpoints
   */
  async create(
    request: CallerRequest,
    dto: CreateMockEndpointDto,
    now = new Date(),
  ): Promise<DataWithMeta<MockEndpointResponse>> {
    const { organizationId } = request.caller;
    const accepted = await acceptMockEndpoint(dto, (definition, count) =>
      this.responses.check(organizationId, definition, count),
    );
    const row = Object.assign(new MockEndpointEntity(), accepted.columns, {
      id: newEndpointId(),
      organizationId,
      createdAt: now,
    });
    await this.dataSource.transaction((manager) => this.insert(manager, request, row, accepted));
    const { warnings } = accepted;
    const data = toMockEndpointResponse(row, 0, this.configuration.mockEndpoints.url, warnings);
    return new DataWithMeta(data, { warnings });
  }

  /** Returns a page of the endpoints, newest first. */
  async list(
    organizationId: string,
    query: PageQuery,
    now = new Date(),
  ): Promise<Paged<'endpoints', ListedMockEndpointResponse>> {
    const { page, perPage } = pageOf(query);
    const rows = await this.dataSource.query<ListedMockEndpoint[]>(LIST_MOCK_ENDPOINTS, [
      organizationId,
      dayOf(now),
      (page - 1) * perPage,
      perPage,
    ]);
    const total = await this.dataSource.manager.countBy(MockEndpointEntity, { organizationId });
    const { url } = this.configuration.mockEndpoints;
    return { endpoints: rows.map((row) => toListedMockEndpoint(row, url)), total, page, per_page: perPage };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string, now = new Date()): Promise<MockEndpointResponse> {
    const found = await this.dataSource.manager.findOneBy(MockEndpointEntity, { organizationId, id });
    if (found === null) throw noSuch('mock endpoint');
    const [counted] = await this.dataSource.query<{ requests: number }[]>(REQUESTS_OF_DAY, [id, dayOf(now)]);
    const warnings = await this.responses.warningsOf(found);
    const { url } = this.configuration.mockEndpoints;
    return toMockEndpointResponse(found, counted?.requests ?? 0, url, warnings);
  }

  /**
   * Deletes an endpoint. Its URL then returns 404, on other servers within a second.
   * @throws ApiError `not_found`
   */
  async delete(request: CallerRequest, id: string, now = new Date()): Promise<Deleted> {
    const { organizationId } = request.caller;
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.delete(MockEndpointEntity, { organizationId, id });
      if (affected !== 1) throw noSuch('mock endpoint');
      await this.quotas.release(manager, organizationId, 'endpoints');
      await auditRequest(manager, request, { now, action: 'mock_endpoint.deleted', targetId: id });
    });
    this.served.forget(id);
    return { deleted: true, id };
  }

  private async insert(
    manager: EntityManager,
    request: CallerRequest,
    row: MockEndpointEntity,
    { sources }: AcceptedEndpoint,
  ): Promise<void> {
    await manager.insert(MockEndpointEntity, row).catch(onUniqueViolation(taken));
    const { id, method, path, auth, createdAt: now } = row;
    await this.quotas.take(manager, request.caller, 'endpoints', now);
    const modelIds = await this.models.rowIds(manager, row.organizationId, sources.models);
    await manager.query(
      `INSERT INTO mock_endpoint_models (endpoint_id, model_id) SELECT $1, unnest($2::text[])`,
      [id, modelIds],
    );
    const details = { method, path, auth };
    await auditRequest(manager, request, { now, action: 'mock_endpoint.created', targetId: id, details });
  }
}

function taken(): ApiError {
  const message =
    'The organisation already has an endpoint with this method and path. Names of parameters do not distinguish paths.';
  return new ApiError('conflict', message);
}
