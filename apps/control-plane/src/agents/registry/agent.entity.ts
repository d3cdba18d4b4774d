import { Column, Entity } from 'typeorm';
import type { AgentOffer } from '@understudy/agent-protocol';

import { OwnedRow } from '../../platform/persistence/database-values.js';

@Entity('agents')
export class AgentEntity extends OwnedRow {
  @Column('text')
  name: string;

  @Column('text', { name: 'nats_public_key', unique: true })
  natsPublicKey: string;

  /** X25519 public key, 32 bytes. */
  @Column('bytea', { name: 'sealing_public_key' })
  sealingPublicKey: Buffer;

  @Column('text', { nullable: true })
  version: string | null;

  @Column('timestamptz', { name: 'enrolled_at' })
  enrolledAt: Date;

  @Column('timestamptz', { name: 'last_seen_at', nullable: true })
  lastSeenAt: Date | null;

  /** Since when the agent's heartbeats have arrived without a gap in which the agent was away. */
  @Column('timestamptz', { name: 'contact_since', nullable: true })
  contactSince: Date | null;

  @Column('int', { name: 'free_slots', default: 0 })
  freeSlots: number;

  /** Fingerprint of the snapshot store in the last heartbeat (32 hex digits); null if the agent has no store. */
  @Column('text', { name: 'snapshot_store', nullable: true })
  snapshotStore: string | null;

  /** The work that the agent offered to run in its last heartbeat; null if it accepts no work. */
  @Column('jsonb', { nullable: true })
  offer: AgentOffer | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** Random id of the process that took the identity over last; null if no process has sent one. */
  @Column('text', { nullable: true })
  instance: string | null;

  /** Time at which this process took the identity over. */
  @Column('timestamptz', { name: 'instance_since', nullable: true })
  instanceSince: Date | null;

  /** The time in the newest JWT, in whole seconds. */
  @Column('timestamptz', { name: 'jwt_issued_at', nullable: true })
  jwtIssuedAt: Date | null;

  /** NATS refuses the JWTs that were issued up to this second. */
  @Column('timestamptz', { name: 'jwts_refused_until', nullable: true })
  jwtsRefusedUntil: Date | null;

  /** Time at which a process was refused because a newer process uses the identity; null if that never happened. */
  @Column('timestamptz', { name: 'last_conflict_at', nullable: true })
  lastConflictAt: Date | null;
}
