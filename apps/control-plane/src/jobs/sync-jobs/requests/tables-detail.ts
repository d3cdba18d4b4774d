import { IsIn } from 'class-validator';

import { Documented } from '../../../platform/http/dto/documented.js';
import { Optional, expected } from '../../../platform/http/dto/field-validators.js';

export const TABLES_DETAILS = ['all', 'none'] as const;
/** How much of the tables a response contains. */
export type TablesDetail = (typeof TABLES_DETAILS)[number];

/** The optional query parameter `tables`. */
export function SelectsTables(description: string): PropertyDecorator {
  const decorators = [
    Documented(description, { default: 'all' }),
    Optional(),
    IsIn(TABLES_DETAILS, expected('"all" or "none"')),
  ];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

export class GetSyncJobQuery {
  @SelectsTables(
    '`none` limits the size of the response: `tables`, `table_progress`, `subset` and `prediction.tables` are empty, and `verification.checks` contains only failed checks. Every other list has at most 100 items. `GET /v1/sync/jobs/:id/tables` lists the tables in pages.',
  )
  tables?: TablesDetail;
}
