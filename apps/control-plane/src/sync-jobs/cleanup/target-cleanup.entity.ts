import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { AgentDatabase } from '../../agent-work/connections/agent-database.js';
import type { AgentRequirement } from '../../agent-work/choice/agent-requirement.js';

/** The target of a failed job that an agent is to clean up; the row goes when one has answered. */
@Entity('target_clearances')
export class TargetCleanupEntity {
  @PrimaryColumn('text', { name: 'job_id' })
  jobId: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  /** Above that of every attempt. */
  @Column('integer')
  epoch: number;

  @Column('jsonb')
  target: AgentDatabase;

  /** What the job asked of an agent at its end. */
  @Column('jsonb', { default: {} })
  requires: AgentRequirement;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt: Date;

  /** When JetStream last took the command. */
  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;
}
