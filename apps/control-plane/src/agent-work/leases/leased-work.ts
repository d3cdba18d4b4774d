import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DataSource, EntityManager, EntityTarget, FindOptionsWhere } from 'typeorm';

import type { AgentRequirement, WorkEligibility } from '../choice/agent-requirement.js';
import { requirementColumns, toState, type WorkColumns } from './work-columns.js';
import type { JobError, WorkState } from './work-state.js';

/** Tables with the columns of WorkColumns, an `id` and an `organization_id`. */
export type WorkTable = 'sync_jobs' | 'snapshots' | 'snapshot_restores';

export interface LockedWork {
  readonly organizationId: string;
  readonly state: WorkState;
  readonly eligibility: WorkEligibility & Pick<WorkColumns, 'unmatchedSince'>;
  /** For its owner: no agent brought it to an end. */
  exhausted(): JobError;
  /** In one statement: a second update of a row in a transaction locks the rows that its foreign keys refer to. */
  write(manager: EntityManager, next: WorkState, requires?: AgentRequirement): Promise<void>;
}

type WorkRow = WorkColumns & { readonly id: string; readonly organizationId: string };
type Requirement = ReturnType<typeof requirementColumns>;

/**
 * One kind of work that agents do under leases. Its feature implements the differences, and changes a row only under the
 * row's lock.
 */
export abstract class LeasedWork implements OnModuleInit {
  abstract readonly table: WorkTable;
  /** The beginning of its ids: `job_`. */
  abstract readonly prefix: string;

  /** @param senders woken after each transaction, which may have written rows for them */
  constructor(
    protected readonly dataSource: DataSource,
    private readonly works: LeasedWorks,
    private readonly senders: readonly { wake(): void }[],
  ) {}

  onModuleInit(): void {
    this.works.register(this);
  }

  async transaction<T>(run: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(run);
    for (const sender of this.senders) sender.wake();
    return result;
  }

  /** Locks the row. */
  abstract lockWork(manager: EntityManager, id: string): Promise<LockedWork | undefined>;

  /**
   * Sends the command of the lease that the agent holds now.
   * @throws AgentLinkUnavailableError
   */
  abstract send(id: string, agentId: string): Promise<void>;

  /** @param organizationId given if a caller names the row: another organisation's row does not exist */
  protected lockRow<Row extends WorkRow>(
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
    row: WorkRow,
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
