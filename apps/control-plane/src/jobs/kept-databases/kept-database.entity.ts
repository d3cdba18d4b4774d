import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { AgentDatabase } from '../../agents/agent-work/connections/agent-database.js';
import type { AgentRequirement } from '../../agents/agent-work/choice/agent-requirement.js';

/**
 * A database that a job or a restore has replaced, and that an agent keeps on its server. The row is deleted after an
 * agent has acknowledged that the database is dropped.
 */
@Entity('kept_databases')
export class KeptDatabaseEntity {
  /** The job or restore that replaced the target. */
  @PrimaryColumn('text', { name: 'work_id' })
  workId: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  @Column('jsonb')
  target: AgentDatabase;

  @Column('jsonb')
  requires: AgentRequirement;

  /** The work, or the last completed revert. The agent derives the name of the kept database from it. */
  @Column('text', { name: 'last_change' })
  lastChange: string;

  /** Whether no later job or restore has replaced the target. */
  @Column('boolean', { name: 'is_last' })
  isLast: boolean;

  @Column('timestamptz', { name: 'kept_until' })
  keptUntil: Date;

  /** When the target got back the content that it had before the work; null while it has that of the work. */
  @Column('timestamptz', { name: 'reverted_at', nullable: true })
  revertedAt: Date | null;

  /** The agent that replaced the target; null in rows of earlier versions, as the next four columns. */
  @Column('text', { name: 'agent_id', nullable: true })
  agentId: string | null;

  /** The fingerprint of this agent's policy for the target. Agents with the same one have the same target. */
  @Column('text', { nullable: true })
  policy: string | null;

  /** When the agent reported the end of the work, by its clock, within the time of the work. */
  @Column('timestamptz', { name: 'replaced_at', nullable: true })
  replacedAt: Date | null;

  /** Whether a revert ends the sessions that use the target. */
  @Column('boolean', { name: 'end_sessions', nullable: true })
  endSessions: boolean | null;

  /** The revert whose command was sent last, which can end after its job is deleted. */
  @Column('text', { nullable: true })
  reverting: string | null;

  /** When JetStream last accepted the command to drop the database. */
  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;
}
