import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { Role } from '../http/caller.js';

@Entity('members')
export class MemberEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  email: string;

  @Column('text', { name: 'email_key' })
  emailKey: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text')
  role: Role;

  @Column('timestamptz', { name: 'invited_at' })
  invitedAt: Date;

  @Column('timestamptz', { name: 'joined_at', nullable: true })
  joinedAt: Date | null;

  /** SHA-256 of the invitation's token; null once it was used. */
  @Column('bytea', { name: 'invitation_hash', nullable: true })
  invitationHash: Buffer | null;

  @Column('timestamptz', { name: 'invitation_expires_at', nullable: true })
  invitationExpiresAt: Date | null;
}
