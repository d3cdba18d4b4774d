import { IsIn } from 'class-validator';

import { Documented } from '../http/decorators/documented.js';
import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { PageQuery } from '../http/page.dto.js';
import { WORK_STATUSES, type WorkStatus } from '../agent-work/work-state.js';

export class ListSyncJobsQuery extends PageQuery {
  @Documented('Jobs of this status alone.')
  @Optional()
  @IsIn(WORK_STATUSES, expected(`one of ${WORK_STATUSES.join(', ')}`))
  status?: WorkStatus;
}
