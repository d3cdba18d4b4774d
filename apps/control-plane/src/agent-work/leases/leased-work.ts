import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { AgentRequirement, WorkAsks } from '../choice/agent-requirement.js';
import type { WorkColumns } from './work-columns.js';
import type { JobError, WorkState } from './work-state.js';

/** Tables with the columns of WorkColumns, an `id` and an `organization_id`. */
export type WorkTable = 'sync_jobs' | 'snapshots' | 'snapshot_restores';

/** One kind of work that agents do under leases. Its feature says what is special about it, and registers it. */
export interface LeasedWork {
  readonly table: WorkTable;
  /** What its ids begin with: `job_`. */
  readonly prefix: string;
  transaction<T>(run: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** Under its row lock. */
  lockWork(manager: EntityManager, id: string): Promise<LockedWork | undefined>;
  /**
   * Sends the command of the lease that the agent holds now.
   * @throws AgentLinkUnavailableError
   */
  send(id: string, agentId: string): Promise<void>;
}

export interface LockedWork {
  readonly organizationId: string;
  readonly state: WorkState;
  readonly asks: WorkAsks & Pick<WorkColumns, 'unmatchedSince'>;
  /** For its owner: no agent brought it to an end. */
  exhausted(): JobError;
  /** In one statement: a second update of a row in a transaction locks the rows that its foreign keys refer to. */
  write(manager: EntityManager, next: WorkState, requires?: AgentRequirement): Promise<void>;
}

/** Every kind of leased work there is. */
@Injectable()
export class LeasedWorks {
  private readonly works: LeasedWork[] = [];

  /** Before the application has started. */
  register(work: LeasedWork): void {
    this.works.push(work);
  }

  all(): readonly LeasedWork[] {
    return this.works;
  }

  ofId(id: string): LeasedWork | undefined {
    return this.works.find(({ prefix }) => id.startsWith(prefix));
  }
}
