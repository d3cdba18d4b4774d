import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { AgentDatabase } from '../../../agents/agent-work/connections/agent-database.js';
import type { AgentRequirement } from '../../../agents/agent-work/choice/agent-requirement.js';

/**
 * The target of a failed job that an agent must clean up. The row is deleted after an agent has acknowledged
 * the cleanup.
 */
@Entity('target_clearances')
export class TargetCleanupEntity {
  @PrimaryColumn('text', { name: 'job_id' })
  jobId: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  /** Higher than the epoch of every attempt of the job. */
  @Column('integer')
  epoch: number;

  @Column('jsonb')
  target: AgentDatabase;

  /** The job's requirements for an agent at the time when the job ended. */
  @Column('jsonb', { default: {} })
  requires: AgentRequirement;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt: Date;

  /** When JetStream last accepted the command. */
  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;
}
