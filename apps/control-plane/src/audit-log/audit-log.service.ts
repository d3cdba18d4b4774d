import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { pageOf, type Paged } from '../http/page.dto.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { toAuditEntryResponse, type AuditEntryResponse } from './audit-entry-response.js';
import type { ListAuditEntriesQuery } from './list-audit-entries.query.js';

/** Reads what `insertAuditEntry` wrote. */
@Injectable()
export class AuditLogService {
  constructor(@InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>) {}

  /** Newest first. */
  async list(
    organizationId: string,
    query: ListAuditEntriesQuery,
  ): Promise<Paged<'entries', AuditEntryResponse>> {
    const { page, perPage } = pageOf(query);
    const { action, actor_id: actorId, target_id: targetId } = query;
    const own = { organizationId, ...(action && { action }), ...(targetId && { targetId }) };
    const [entries, total] = await this.entries.findAndCount({
      where: actorId
        ? [
            { ...own, actorId },
            { ...own, actorMemberId: actorId },
          ]
        : own,
      order: { occurredAt: 'DESC', id: 'DESC' },
      skip: (page - 1) * perPage,
      take: perPage,
    });
    return { entries: entries.map(toAuditEntryResponse), total, page, per_page: perPage };
  }
}
