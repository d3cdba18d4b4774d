import { Column, Entity } from 'typeorm';

import { OwnedRow } from '../persistence/database-values.js';
import type { AuditAction, AuditActor, AuditTarget } from './audit-entry.js';

@Entity('audit_entries')
export class AuditEntryEntity extends OwnedRow {
  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;

  @Column('text', { name: 'actor_type' })
  actorType: AuditActor['type'];

  @Column('text', { name: 'actor_id', nullable: true })
  actorId: string | null;

  @Column('text', { name: 'actor_member_id', nullable: true })
  actorMemberId: string | null;

  @Column('text')
  action: AuditAction;

  @Column('text', { name: 'target_type' })
  targetType: AuditTarget;

  @Column('text', { name: 'target_id' })
  targetId: string;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('jsonb')
  details: Readonly<Record<string, unknown>>;
}
