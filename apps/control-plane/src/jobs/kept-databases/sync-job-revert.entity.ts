import { Column, Entity, PrimaryColumn } from 'typeorm';

export const REVERT_STATUSES = ['pending', 'completed', 'failed'] as const;

/** A request to swap the target of a sync job and the database that the job has replaced. */
@Entity('sync_job_reverts')
export class SyncJobRevertEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'job_id' })
  jobId: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  /** The change that the agent expects to be the last one of the target. */
  @Column('text', { name: 'last_change' })
  lastChange: string;

  @Column('text')
  status: (typeof REVERT_STATUSES)[number];

  @Column('text', { name: 'error_code', nullable: true })
  errorCode: string | null;

  /** The number of commands that were sent. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** The agent that got the last command. */
  @Column('text', { name: 'agent_id', nullable: true })
  agentId: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;
}
