import { Column } from 'typeorm';

import type { FieldProblem } from '../../http/errors/api-error.js';
import type { AgentRequirement } from '../choice/agent-requirement.js';
import type { WorkState, WorkStatus } from './work-state.js';

/** The columns that every table of leased work has: its state, written by {@link stateColumns} alone. */
export abstract class WorkColumns {
  @Column('text')
  status: WorkStatus;

  @Column('integer', { default: 0 })
  attempts: number;

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

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  completedAt: Date | null;

  @Column('timestamptz', { name: 'cancel_requested_at', nullable: true })
  cancelRequestedAt: Date | null;

  /** Not part of the state: who may do the work. */
  @Column('jsonb', { default: {} })
  requires: AgentRequirement;

  @Column('text', { name: 'sealed_to', array: true, nullable: true })
  sealedTo: string[] | null;

  /** Since when only agents with another masking key or policy than the first attempt's are connected. */
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
  const { status, attempts, epoch, lastSeq, agentId, leasedAt, leaseExpiresAt } = row;
  const { startedAt, completedAt, cancelRequestedAt } = row;
  const { errorCode, errorMessage, errorDetails } = row;
  const error =
    errorCode === null ? null : { code: errorCode, message: errorMessage ?? '', details: errorDetails };
  return {
    status,
    attempts,
    epoch,
    lastSeq,
    agentId,
    leasedAt,
    leaseExpiresAt,
    startedAt,
    completedAt,
    error,
    cancelRequestedAt,
  };
}

/** The columns that a new state writes. */
export function stateColumns({ error, ...state }: WorkState): Partial<WorkColumns> {
  return {
    ...state,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
    errorDetails: error?.details ?? [],
  };
}

/** The columns that a new requirement writes, if there is one. */
export function requirementColumns(requires: AgentRequirement | undefined) {
  return requires === undefined ? {} : { requires: requires as object, unmatchedSince: null };
}
