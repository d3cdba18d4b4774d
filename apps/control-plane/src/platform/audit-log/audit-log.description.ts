import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../http/operations/operation-description.js';
import { instant, nullable, nullableId, oneOf, pageResponse } from '../http/operations/schemas.js';
import { AUDIT_ACTIONS, AUDIT_TARGETS } from './audit-entry.js';
import type { AuditEntryResponse } from './audit-entry-response.js';
import { ListAuditEntriesQuery } from './list-audit-entries.query.js';

const ENTRY = schemaOf<AuditEntryResponse>('AuditEntry')(
  Type.Object({
    id: Type.String(),
    occurred_at: instant('Time of the change.'),
    action: oneOf(AUDIT_ACTIONS, 'The change that was made.'),
    actor: Type.Object({
      type: oneOf(
        ['token', 'member', 'agent', 'command_line', 'server'],
        'Type of the actor that made the change.',
      ),
      id: nullable(Type.String(), 'Id of the actor; null for the command line and the server.'),
      member_id: nullableId('mem', 'Member who owns the token; null for tokens of the organisation.'),
    }),
    target: Type.Object({
      type: oneOf(AUDIT_TARGETS, 'Type of the changed resource.'),
      id: Type.String(),
    }),
    request_id: nullable(Type.String(), 'Id of the request; null for the command line and the server.'),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Names, roles and ids, but never a secret.',
    }),
  }),
);

const EXAMPLE = {
  id: 'aud_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  occurred_at: '2026-11-21T09:30:00.000Z',
  action: 'token.created',
  actor: { type: 'token', id: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3D', member_id: null },
  target: { type: 'token', id: 'tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E' },
  request_id: 'req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  details: { name: 'ci', role: 'member' },
};

export const AUDIT_LOG_DESCRIPTIONS = {
  listAuditEntries: {
    tag: 'Audit log',
    description:
      'Returns the newest entry first. Entries never change. They are deleted after the retention time that the operator configures (two years by default). `details.email` is absent if the address of a removed member was erased.',
    query: ListAuditEntriesQuery,
    example: { query: { action: 'organization.created' } },
    response: pageResponse('A page of entries.', 'entries', ENTRY, EXAMPLE),
  },
} satisfies Record<string, OperationDescription>;
