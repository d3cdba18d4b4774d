import { IsIn } from 'class-validator';

import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { PageQuery } from '../http/page.dto.js';
import { SYNC_JOB_STATUSES, type SyncJobStatus } from './sync-job-state.js';

export class ListSyncJobsQuery extends PageQuery {
  @Optional()
  @IsIn(SYNC_JOB_STATUSES, expected(`one of ${SYNC_JOB_STATUSES.join(', ')}`))
  status?: SyncJobStatus;
}
