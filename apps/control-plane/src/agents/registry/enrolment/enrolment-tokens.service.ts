import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { requestedChange } from '../../../platform/audit-log/audit-entry.js';
import { auditRequest } from '../../../platform/audit-log/insert-audit-entry.js';
import { Configuration } from '../../../platform/config/configuration.js';
import { noSuch } from '../../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../../platform/http/pipeline/caller-request.js';
import type { Deleted } from '../../../platform/http/operations/schemas.js';
import type { Paged, PageQuery } from '../../../platform/http/dto/page.dto.js';
import { findPage } from '../../../platform/persistence/find-page.js';
import {
  toEnrolmentTokenResponse,
  type EnrolmentTokenResponse,
  type NewEnrolmentTokenResponse,
} from './enrolment-token-response.js';
import { EnrolmentTokenEntity } from './enrolment-token.entity.js';
import { insertEnrolmentToken } from './insert-enrolment-token.js';
import { installLines, type InstallLines } from './install-lines.js';

/** Manages the one-time tokens that enrol agents. */
@Injectable()
export class EnrolmentTokensService {
  private readonly install: InstallLines;

  constructor(
    private readonly dataSource: DataSource,
    { http }: Configuration,
  ) {
    this.install = installLines(http.publicUrl);
  }

  async create(request: CallerRequest, now = new Date()): Promise<NewEnrolmentTokenResponse> {
    const change = { ...requestedChange(request, now), madeByMemberId: request.caller.memberId };
    return this.dataSource.transaction(async (manager) => {
      const made = await insertEnrolmentToken(manager, change);
      const { id, token, expiresAt } = made;
      const unused = { id, createdAt: now, expiresAt, usedAt: null, agentId: null };
      return { ...toEnrolmentTokenResponse(unused, { now }), token, install: this.install };
    });
  }

  /** Returns a page of tokens, including used and expired ones, the newest first. */
  async list(
    organizationId: string,
    query: PageQuery,
    now = new Date(),
  ): Promise<Paged<'enrolment_tokens', EnrolmentTokenResponse>> {
    const { rows, ...page } = await findPage(this.dataSource.manager, EnrolmentTokenEntity, query, {
      where: { organizationId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return { enrolment_tokens: rows.map((token) => toEnrolmentTokenResponse(token, { now })), ...page };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string, now = new Date()): Promise<EnrolmentTokenResponse> {
    const token = await this.dataSource.manager.findOneBy(EnrolmentTokenEntity, { id, organizationId });
    if (!token) throw noSuch('enrolment token');
    return toEnrolmentTokenResponse(token, { now });
  }

  /** Deletes a token. An agent that the token enrolled stays enrolled. @throws ApiError `not_found` */
  async revoke(request: CallerRequest, id: string, now = new Date()): Promise<Deleted> {
    const { organizationId } = request.caller;
    return this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.delete(EnrolmentTokenEntity, { id, organizationId });
      if (affected !== 1) throw noSuch('enrolment token');
      await auditRequest(manager, request, { now, action: 'enrolment_token.revoked', targetId: id });
      return { deleted: true, id };
    });
  }
}
