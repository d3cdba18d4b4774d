import { Column, Entity } from 'typeorm';

import { OwnedRow } from '../../platform/persistence/database-values.js';
import type { Role } from '../../platform/http/pipeline/caller.js';
import type { Scope } from '../../platform/http/pipeline/scope.js';

@Entity('members')
export class MemberEntity extends OwnedRow {
  @Column('text')
  email: string;

  @Column('text', { name: 'email_key' })
  emailKey: string;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text')
  role: Role;

  /**
   * The scopes of the token that invited the member, which limit all tokens of the member. Null means
   * everything that the role permits.
   */
  @Column('text', { array: true, nullable: true })
  scopes: readonly Scope[] | null;

  /**
   * The member whose token invited this member. Null after this member has joined, and if the token belonged to no
   * member.
   */
  @Column('text', { name: 'invited_by_member_id', nullable: true })
  invitedByMemberId: string | null;

  @Column('timestamptz', { name: 'invited_at' })
  invitedAt: Date;

  @Column('timestamptz', { name: 'joined_at', nullable: true })
  joinedAt: Date | null;

  /** SHA-256 of the invitation token; null after its use. */
  @Column('bytea', { name: 'invitation_hash', nullable: true })
  invitationHash: Buffer | null;

  @Column('timestamptz', { name: 'invitation_expires_at', nullable: true })
  invitationExpiresAt: Date | null;
}
