import { Injectable, Controller, Query } from '@nestjs/common';
import { DataSource, In } from 'typeorm';

import { Handles } from '../http/operations/handles.js';
import { AUDIT_LOG } from './audit-log.operations.js';
import type { Paged } from '../http/dto/page.dto.js';
import { findPage, inTimeRange } from '../persistence/find-page.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { toAuditEntryResponse, type AuditEntryResponse } from './audit-entry-response.js';
import { ListAuditEntriesQuery } from './list-audit-entries.query.js';
import { type CallerRequest, CurrentRequest } from '../http/pipeline/caller-request.js';

/** Reads the entries that `insertAuditEntry` wrote. */
@Injectable()
export class AuditLogService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns a page of entries, the newest first. */
  async list(
    organizationId: string,
    query: ListAuditEntriesQuery,
  ): Promise<Paged<'entries', AuditEntryResponse>> {
    const { action, actor_id: actorId, target_id: targetId, request_id: requestId } = query;
    const occurredAt = inTimeRange(query.occurred_after, query.occurred_before);
    const own = {
      organizationId,
      ...(action && { action }),
      ...(targetId && { targetId }),
      ...(requestId && { requestId }),
      ...(occurredAt && { occurredAt }),
    };
    const where = actorId
      ? [
          { ...own, actorId },
          { ...own, actorMemberId: actorId },
        ]
      : own;
    const order = { occurredAt: 'DESC', id: 'DESC' } as const;
    const { manager } = this.dataSource;
    // The first query reads only ids and times, so that it can skip the rows before the page in an index. The
    // second query reads the full rows of the page.
    const ids = { select: { id: true, occurredAt: true }, where, order };
    const { rows, ...page } = await findPage(manager, AuditEntryEntity, query, ids);
    if (rows.length === 0) return { entries: [], ...page };
    const shownIds = In(rows.map(({ id }) => id));
    const entries = await manager.find(AuditEntryEntity, { where: { id: shownIds }, order });
    const emails = await this.emailsOf(entries);
    const shown = entries.map((entry) => toAuditEntryResponse(entry, emails.get(entry.targetId)));
    return { entries: shown, ...page };
  }

  private async emailsOf(entries: readonly AuditEntryEntity[]): Promise<Map<string, string>> {
    const members = entries.filter(({ targetType }) => targetType === 'member');
    if (members.length === 0) return new Map();
    const rows = await this.dataSource.query<{ member_id: string; email: string }[]>(
      'SELECT member_id, email FROM audit_subjects WHERE member_id = ANY($1)',
      [members.map(({ targetId }) => targetId)],
    );
    return new Map(rows.map(({ member_id, email }) => [member_id, email]));
  }
}

@Controller()
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Handles(AUDIT_LOG.listAuditEntries)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: ListAuditEntriesQuery) {
    return this.log.list(caller.organizationId, query);
  }
}
