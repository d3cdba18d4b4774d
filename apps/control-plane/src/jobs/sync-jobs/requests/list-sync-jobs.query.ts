import { MAX_NAME_LENGTH } from '@understudy/sync-job';
import { IsIn, IsString, Length, Matches } from 'class-validator';
import { ILike, In, type FindOptionsOrder, type FindOptionsWhere } from 'typeorm';

import { Documented } from '../../../platform/http/dto/documented.js';
import { IsInstant, Optional, expected } from '../../../platform/http/dto/field-validators.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { inTimeRange } from '../../../platform/persistence/find-page.js';
import { WORK_STATUSES, type WorkStatus } from '../../../agents/agent-work/leases/work-state.js';
import type { SyncJobEntity } from '../sync-job.entity.js';
import { SelectsTables, type TablesDetail } from './tables-detail.js';

/** The order of each `sort`. An index of the table has the same order or the reverse one. */
const ORDERS = {
  created_at: { createdAt: 'ASC', id: 'ASC' },
  '-created_at': { createdAt: 'DESC', id: 'DESC' },
  name: { name: 'ASC', id: 'ASC' },
  '-name': { name: 'DESC', id: 'DESC' },
  status: { status: 'ASC', createdAt: 'DESC', id: 'DESC' },
  '-status': { status: 'DESC', createdAt: 'ASC', id: 'ASC' },
} as const satisfies Readonly<Record<string, FindOptionsOrder<SyncJobEntity>>>;

type JobSort = keyof typeof ORDERS;
const JOB_SORTS = Object.keys(ORDERS);

const ONE = `(?:${WORK_STATUSES.join('|')})`;
const STATUSES = new RegExp(`^${ONE}(?:,${ONE}){0,${WORK_STATUSES.length - 1}}$`);

export class ListSyncJobsQuery extends PageQuery {
  @Documented('Lists only jobs with one of these statuses, separated by commas.', {
    examples: ['pending,running'],
  })
  @Optional()
  @Matches(STATUSES, expected(`one or more of ${WORK_STATUSES.join(', ')}, separated by commas`))
  status?: string;

  @Documented('Lists only jobs whose name contains this text, in upper or lower case.')
  @Optional()
  @IsString(expected(`a string of 1 to ${MAX_NAME_LENGTH} characters`))
  @Length(1, MAX_NAME_LENGTH, expected(`a string of 1 to ${MAX_NAME_LENGTH} characters`))
  name?: string;

  @Documented('Lists only jobs that were created at this instant or later.')
  @Optional()
  @IsInstant()
  created_after?: string;

  @Documented('Lists only jobs that were created before this instant.')
  @Optional()
  @IsInstant()
  created_before?: string;

  @Documented('Lists only jobs whose last attempt ran on this agent.')
  @Optional()
  @Matches(/^agt_[0-9A-Z]{26}$/, expected('an agent id'))
  agent_id?: string;

  @Documented(
    'Order of the jobs. A minus reverses it. `status` lists the newest jobs of each status first.',
    {
      default: '-created_at',
    },
  )
  @Optional()
  @IsIn(JOB_SORTS, expected(`one of ${JOB_SORTS.join(', ')}`))
  sort?: JobSort;

  @SelectsTables('With `none`, `tables` is empty for every job. `table_count` is the number of its tables.')
  tables?: TablesDetail;
}

/** Returns the conditions of the query. Pure. */
export function jobFilter(query: ListSyncJobsQuery): FindOptionsWhere<SyncJobEntity> {
  const { status, name, agent_id: agentId } = query;
  const createdAt = inTimeRange(query.created_after, query.created_before);
  const statuses = [...new Set(status?.split(',') as WorkStatus[] | undefined)];
  const [only] = statuses;
  return {
    ...(only === undefined ? {} : { status: statuses.length === 1 ? only : In(statuses) }),
    ...(name === undefined ? {} : { name: ILike(`%${name.replace(/[\\%_]/g, '\\$&')}%`) }),
    ...(createdAt && { createdAt }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

export function jobOrder({ sort = '-created_at' }: ListSyncJobsQuery): FindOptionsOrder<SyncJobEntity> {
  return ORDERS[sort];
}
