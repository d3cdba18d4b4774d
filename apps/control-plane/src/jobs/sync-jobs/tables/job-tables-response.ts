import { TABLE_STATUSES } from '@understudy/sync-job';
import { Type } from 'typebox';

import {
  count,
  named,
  nullableCount,
  oneOf,
  PAGE,
  type ResponseOf,
} from '../../../platform/http/operations/schemas.js';

export const TABLE_PROGRESS = {
  name: Type.String({ description: 'Name of the table as written in the request.' }),
  status: oneOf(TABLE_STATUSES, 'Status of the table.'),
  rows_processed: count('Number of copied rows.'),
  rows_total: nullableCount(
    'Rows to copy. An estimate until all rows are copied; null until the agent has inspected the table.',
  ),
  bytes_processed: count('Bytes of the copied rows, as sent to the target.'),
  bytes_total: nullableCount(
    'The size of the source table. After all rows are copied, the value of `bytes_processed`.',
  ),
};

export const JobTablesResponse = named('SyncJobTablePage', {
  tables: Type.Array(
    Type.Object({
      position: count('Index of the table in the request, from 0.'),
      ...TABLE_PROGRESS,
    }),
  ),
  revision: count(
    'Number that grows with every change of a table of the job. Pass it as `changed_since` to get the later changes. If you read several pages, use the `revision` of the first one.',
  ),
  total: count('Number of tables that match the filter.'),
  ...PAGE,
});
export type JobTablesResponse = ResponseOf<typeof JobTablesResponse>;
