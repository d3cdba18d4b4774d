import { Column, Entity } from 'typeorm';

import { OwnedRow } from '../../../platform/persistence/database-values.js';

@Entity('enrolment_tokens')
export class EnrolmentTokenEntity extends OwnedRow {
  /** SHA-256 of the token. The token itself is shown once and not stored. */
  @Column('bytea', { name: 'token_hash', unique: true })
  tokenHash: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt: Date | null;

  /** The member whose token made this token. Null after its use, and if the token belonged to no member. */
  @Column('text', { name: 'made_by_member_id', nullable: true })
  madeByMemberId: string | null;

  @Column('text', { name: 'agent_id', nullable: true })
  agentId: string | null;
}
