import { IsIn } from 'class-validator';

import { Documented } from '../../http/dto/documented.js';
import { Optional, expected } from '../../http/dto/field-validators.js';
import { PageQuery } from '../../http/dto/page.dto.js';
import { WORK_STATUSES, type WorkStatus } from '../../agent-work/leases/work-state.js';

export class ListSyncJobsQuery extends PageQuery {
  @Documented('Lists only jobs with this status.')
  @Optional()
  @IsIn(WORK_STATUSES, expected(`one of ${WORK_STATUSES.join(', ')}`))
  status?: WorkStatus;
}
