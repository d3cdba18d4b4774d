import { TABLE_STATUSES, type TableStatus } from '@understudy/sync-job';
import { IsIn, Matches } from 'class-validator';

import { Documented } from '../../../platform/http/dto/documented.js';
import { Optional, expected } from '../../../platform/http/dto/field-validators.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { TABLE_SORTS, type TableSort } from './list-job-tables.sql.js';

export class ListJobTablesQuery extends PageQuery {
  @Documented('Lists only tables with this status.')
  @Optional()
  @IsIn(TABLE_STATUSES, expected(`one of ${TABLE_STATUSES.join(', ')}`))
  status?: TableStatus;

  @Documented(
    'Order of the tables. A minus reverses it. `position` is the order in the request. Tables without a value come last. Not allowed with `changed_since`.',
    { default: 'position' },
  )
  @Optional()
  @IsIn(TABLE_SORTS, expected(`one of ${TABLE_SORTS.join(', ')}`))
  sort?: TableSort;

  @Documented(
    'Lists only tables that changed after this `revision` of an earlier response, in the order of their changes. If more tables changed than fit into the response, its `revision` is that of the last listed table, so the next call with it continues there.',
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  )
  @Optional()
  @Matches(/^(0|[1-9]\d{0,14}|[1-8]\d{15})$/, expected('a revision of an earlier response'))
  changed_since?: string;
}
