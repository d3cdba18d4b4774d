import { operations } from '../http/operations/operation.js';
import { pageResponse } from '../http/operations/schemas.js';
import { AuditEntryResponse } from './audit-entry-response.js';
import { ListAuditEntriesQuery } from './list-audit-entries.query.js';

const EXAMPLE = {
  id: 'aud_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  occurred_at: '2026-11-21T09:30:00.000Z',
  action: 'token.created',
  actor: { type: 'token', id: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3D', member_id: null },
  target: { type: 'token', id: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  request_id: 'req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  details: { name: 'ci', role: 'member' },
};

export const AUDIT_LOG = operations('Audit log', {
  listAuditEntries: {
    method: 'GET',
    path: '/v1/audit-log',
    client: 'auditLog.list',
    summary: 'lists the entries of the audit log',
    description:
      'Returns the newest entry first. Entries never change. They are deleted after the retention time that the operator configures (two years by default). `details.email` is absent if the address of a removed member was erased.',
    role: 'admin',
    scope: 'audit:read',
    calls: 'always_served',
    query: ListAuditEntriesQuery,
    example: { query: { action: 'organization.created' } },
    response: pageResponse('A page of entries.', 'entries', AuditEntryResponse, EXAMPLE),
  },
});
