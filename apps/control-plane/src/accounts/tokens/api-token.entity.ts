import { Column, CreateDateColumn, Entity } from 'typeorm';

import { OwnedRow } from '../../platform/persistence/database-values.js';
import type { Role } from '../../platform/http/pipeline/caller.js';
import type { Scope } from '../../platform/http/pipeline/scope.js';

@Entity('api_tokens')
export class ApiTokenEntity extends OwnedRow {
  @Column('text')
  name: string;

  @Column('text')
  role: Role;

  /** Null means everything that the role permits. */
  @Column('text', { array: true, nullable: true })
  scopes: readonly Scope[] | null;

  /** The member who owns the token. Null for a token of the organisation. */
  @Column('text', { name: 'member_id', nullable: true })
  memberId: string | null;

  /** The member who received the current text of an organisation's token by rotating it. */
  @Column('text', { name: 'text_known_to_member_id', nullable: true })
  textKnownToMemberId: string | null;

  /** True after another member rotated the token. Only the member who owns it can then receive a new text. */
  @Column('boolean', { name: 'needs_rotation' })
  needsRotation: boolean;

  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  @Column('text', { name: 'token_hint' })
  tokenHint: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
