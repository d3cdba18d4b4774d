import { IsIn } from 'class-validator';

import { Documented } from '../http/decorators/documented.js';
import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { PageQuery } from '../http/page.dto.js';
import { SYNC_JOB_STATUSES, type SyncJobStatus } from './sync-job-state.js';

export class ListSyncJobsQuery extends PageQuery {
  @Documented('Jobs of this status alone.')
  @Optional()
  @IsIn(SYNC_JOB_STATUSES, expected(`one of ${SYNC_JOB_STATUSES.join(', ')}`))
  status?: SyncJobStatus;
}
