import { Type } from 'typebox';

import { schemaOf, type OperationDescription } from '../api-description/operation-description.js';
import { instant, nullable, nullableId, oneOf, pageAnswer } from '../api-description/schemas.js';
import { AUDIT_ACTIONS, AUDIT_TARGETS } from './audit-entry.js';
import type { AuditEntryResponse } from './audit-entry-response.js';
import { ListAuditEntriesQuery } from './list-audit-entries.query.js';

const ENTRY = schemaOf<AuditEntryResponse>('AuditEntry')(
  Type.Object({
    id: Type.String(),
    occurred_at: instant('When it was done.'),
    action: oneOf(AUDIT_ACTIONS, 'What was done.'),
    actor: Type.Object({
      type: oneOf(['token', 'member', 'agent', 'command_line', 'server'], 'Who did it.'),
      id: nullable(Type.String(), 'Null for the command line and the server.'),
      member_id: nullableId('mem', 'Whose token it was; null for tokens of the organisation.'),
    }),
    target: Type.Object({
      type: oneOf(AUDIT_TARGETS, 'What it was done to.'),
      id: Type.String(),
    }),
    request_id: nullable(Type.String(), 'Of the request; null for the command line and the server.'),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Names, roles and ids; never a secret.',
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
      'Newest first. Entries are never changed, and are deleted when the time that the operator keeps them is over (two years by default). `details.email` is missing when the address of a removed member was erased.',
    query: ListAuditEntriesQuery,
    example: { query: { action: 'organization.created' } },
    answer: pageAnswer('A page of entries.', 'entries', ENTRY, EXAMPLE),
  },
} satisfies Record<string, OperationDescription>;
