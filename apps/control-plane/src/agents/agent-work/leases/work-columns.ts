import { Column } from 'typeorm';

import type { FieldProblem } from '../../../platform/http/errors/api-error.js';
import { OwnedRow } from '../../../platform/persistence/database-values.js';
import type { AgentRequirement } from '../choice/agent-requirement.js';
import type { WorkState, WorkStatus } from './work-state.js';

/** The columns of every table of leased work. Only {@link stateColumns} produces values for the state columns. */
export abstract class WorkColumns extends OwnedRow {
  @Column('text')
  status: WorkStatus;

  @Column('integer', { default: 0 })
  attempts: number;

  @Column('integer', { name: 'lost_leases', default: 0 })
  lostLeases: number;

  @Column('integer', { default: 0 })
  epoch: number;

  @Column('integer', { name: 'last_seq', default: 0 })
  lastSeq: number;

  @Column('text', { name: 'agent_id', nullable: true })
  agentId: string | null;

  @Column('timestamptz', { name: 'leased_at', nullable: true })
  leasedAt: Date | null;

  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt: Date | null;

  @Column('integer', { name: 'grace_seconds', default: 0 })
  graceSeconds: number;

  @Column('timestamptz', { name: 'renewed_at', nullable: true })
  renewedAt: Date | null;

  @Column('timestamptz', { name: 'snapshot_taken_at', nullable: true })
  snapshotTakenAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;

  @Column('timestamptz', { name: 'cancel_requested_at', nullable: true })
  cancelRequestedAt: Date | null;

  /** The requirement that an agent must meet to run the work. It is not part of {@link WorkState}. */
  @Column('jsonb', { default: {} })
  requires: AgentRequirement;

  @Column('text', { name: 'sealed_to', array: true, nullable: true })
  sealedTo: string[] | null;

  /**
   * Time since which no connected agent has the masking key and policy of the first attempt. Null if the work
   * does not wait for such an agent.
   */
  @Column('timestamptz', { name: 'unmatched_since', nullable: true })
  unmatchedSince: Date | null;

  @Column('text', { name: 'error_code', nullable: true })
  errorCode: string | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage: string | null;

  @Column('jsonb', { name: 'error_details', default: [] })
  errorDetails: readonly FieldProblem[];
}

export function toState(row: WorkColumns): WorkState {
  const { status, attempts, lostLeases, epoch, lastSeq, agentId } = row;
  const { leasedAt, leaseExpiresAt, graceSeconds, renewedAt, snapshotTakenAt } = row;
  const { startedAt, completedAt, cancelRequestedAt } = row;
  const { errorCode, errorMessage, errorDetails } = row;
  const error =
    errorCode === null ? null : { code: errorCode, message: errorMessage ?? '', details: errorDetails };
  return {
    status,
    attempts,
    lostLeases,
    epoch,
    lastSeq,
    agentId,
    leasedAt,
    leaseExpiresAt,
    graceSeconds,
    renewedAt,
    snapshotTakenAt,
    startedAt,
    completedAt,
    error,
    cancelRequestedAt,
  };
}

/** Converts a state to the values of its columns. */
export function stateColumns({ error, ...state }: WorkState): Partial<WorkColumns> {
  return {
    ...state,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    errorDetails: error?.details ?? [],
  };
}

/**
 * Converts a new requirement to the values of its columns. Returns no columns if the requirement does not
 * change.
 */
export function requirementColumns(requires: AgentRequirement | undefined) {
  return requires === undefined ? {} : { requires: requires as object, unmatchedSince: null };
}
