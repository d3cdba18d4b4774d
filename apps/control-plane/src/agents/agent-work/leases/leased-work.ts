import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DataSource, EntityManager, EntityTarget, FindOptionsWhere } from 'typeorm';

import type { AgentRequirement, WorkEligibility } from '../choice/agent-requirement.js';
import { requirementColumns, toState, type WorkColumns } from './work-columns.js';
import type { JobError, WorkState } from './work-state.js';

/** A table with the columns of WorkColumns. */
export type WorkTable = 'sync_jobs' | 'snapshots' | 'snapshot_restores';

export interface LockedWork {
  readonly organizationId: string;
  readonly state: WorkState;
  readonly eligibility: WorkEligibility & Pick<WorkColumns, 'unmatchedSince'>;
  /** Returns the error for work that used all its attempts without a result. */
  exhausted(): JobError;
  /**
   * Writes the new state in one statement. A second update of the same row in a transaction would lock the rows that
   * its foreign keys reference.
   */
  write(manager: EntityManager, next: WorkState, requires?: AgentRequirement): Promise<void>;
}

type Requirement = ReturnType<typeof requirementColumns>;

/**
 * One kind of work that agents run under leases. Each feature extends this class for its own table. Lock a
 * row before you change it.
 */
export abstract class LeasedWork implements OnModuleInit {
  abstract readonly table: WorkTable;
  /** The prefix of the ids of this kind, such as `job_`. */
  abstract readonly prefix: string;

  /**
   * @param senders are woken after each transaction, because the transaction may have written rows for them
   *   to send
   */
  constructor(
    protected readonly dataSource: DataSource,
    private readonly works: LeasedWorks,
    private readonly senders: readonly { wake(): void }[],
  ) {}

  onModuleInit(): void {
    this.works.register(this);
  }

  /** Runs a transaction and then wakes the senders. */
  async transaction<T>(run: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(run);
    for (const sender of this.senders) sender.wake();
    return result;
  }

  /** Locks the row of the work and returns it; undefined if the row does not exist. */
  abstract lockWork(manager: EntityManager, id: string): Promise<LockedWork | undefined>;

  /**
   * Sends the command for the lease that the agent holds now.
   * @throws AgentLinkUnavailableError
   */
  abstract send(id: string, agentId: string): Promise<void>;

  /**
   * Locks a row and returns it; null if the row does not exist.
   * @param organizationId if given, rows of other organisations are treated as missing
   */
  protected lockRow<Row extends WorkColumns>(
    manager: EntityManager,
    entity: EntityTarget<Row>,
    id: string,
    organizationId?: string,
  ): Promise<Row | null> {
    const where = { id, ...(organizationId === undefined ? {} : { organizationId }) };
    const lock = { mode: 'pessimistic_write' } as const;
    return manager.findOne(entity, { where: where as FindOptionsWhere<Row>, lock });
  }

  protected lockedWork(
    row: WorkColumns,
    exhausted: () => JobError,
    write: (manager: EntityManager, state: WorkState, asks: Requirement) => Promise<void>,
  ): LockedWork {
    const { organizationId } = row;
    return {
      organizationId,
      state: toState(row),
      eligibility: row,
      exhausted,
      write: (manager, state, requires) => write(manager, state, requirementColumns(requires)),
    };
  }
}

/** Registry of all kinds of leased work. */
@Injectable()
export class LeasedWorks {
  private readonly works: LeasedWork[] = [];

  /** Adds a kind of work. Call this method before the application has started. */
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
