import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { noSuch, validationError } from '../../../platform/http/errors/api-error.js';
import { pageOf } from '../../../platform/http/dto/page.dto.js';
import { SyncJobEntity } from '../sync-job.entity.js';
import type { JobTablesResponse } from './job-tables-response.js';
import type { ListJobTablesQuery } from './list-job-tables.query.js';
import { CHANGED_TABLES, COUNT_TABLES, listTables } from './list-job-tables.sql.js';

type TableRow = JobTablesResponse['tables'][number];
interface Changed {
  readonly revision: number;
  /** The number of all changed tables. */
  readonly total: number;
}

/** Lists the tables of sync jobs with their progress. */
@Injectable()
export class JobTablesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns a page of the tables of a job. Every change of a table gets the next revision of its job while the
   * row of the job is locked, so changes are committed in the order of their revisions. The job's revision is
   * read before the tables. A caller that continues with the returned revision therefore misses no change.
   * @throws ApiError `not_found` or `validation_error`
   */
  async list(organizationId: string, id: string, query: ListJobTablesQuery): Promise<JobTablesResponse> {
    assertCombination(query);
    const where = { id, organizationId };
    const job = await this.dataSource.manager.findOne(SyncJobEntity, { select: { revision: true }, where });
    if (!job) throw noSuch('sync job');
    return query.changed_since === undefined
      ? await this.page(id, job.revision, query)
      : await this.changes(id, job.revision, Number(query.changed_since), query);
  }

  private async page(id: string, revision: number, query: ListJobTablesQuery): Promise<JobTablesResponse> {
    const { page, perPage } = pageOf(query);
    const filter = [id, query.status ?? null];
    const [counted] = await this.dataSource.query<{ total: number }[]>(COUNT_TABLES, filter);
    const total = counted?.total ?? 0;
    const skip = (page - 1) * perPage;
    const statement = listTables(query.sort ?? 'position');
    const tables =
      skip >= total ? [] : await this.dataSource.query<TableRow[]>(statement, [...filter, perPage, skip]);
    return { tables, revision, total, page, per_page: perPage };
  }

  private async changes(
    id: string,
    revision: number,
    since: number,
    query: ListJobTablesQuery,
  ): Promise<JobTablesResponse> {
    const { perPage } = pageOf(query);
    const parameters = [id, query.status ?? null, since, perPage];
    const rows = await this.dataSource.query<(TableRow & Changed)[]>(CHANGED_TABLES, parameters);
    const total = rows[0]?.total ?? 0;
    const last = rows.at(-1)?.revision ?? 0;
    const tables = rows.map((row) => {
      const { revision: _, total: __, ...table } = row;
      return table;
    });
    return {
      tables,
      revision: total > rows.length ? last : Math.max(last, revision),
      ...{ total, page: 1, per_page: perPage },
    };
  }
}

/** A second page of changes could miss tables that changed again after the first one. */
function assertCombination({ changed_since, page, sort }: ListJobTablesQuery): void {
  if (changed_since === undefined) return;
  const refused = [
    ...(page === undefined || page === '1' ? [] : ['page']),
    ...(sort === undefined ? [] : ['sort']),
  ];
  const message =
    'is not allowed with changed_since: pass the revision of the last response as changed_since';
  if (refused.length > 0) throw validationError(refused.map((field) => ({ field, message })));
}
