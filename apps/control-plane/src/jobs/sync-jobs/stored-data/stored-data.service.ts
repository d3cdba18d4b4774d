import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { noSuch } from '../../../platform/http/errors/api-error.js';
import { SyncJobEntity } from '../sync-job.entity.js';
import { readJobTables } from '../tables/job-table.js';
import { toStoredData, type StoredDataResponse } from './stored-data-response.js';

/** Shows everything that the control plane stores about a job, and everything that an agent can report. */
@Injectable()
export class StoredDataService {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<StoredDataResponse> {
    const { manager } = this.dataSource;
    const job = await manager.findOneBy(SyncJobEntity, { id, organizationId });
    if (job === null) throw noSuch('sync job');
    return toStoredData({ job, tables: await readJobTables(manager, id) });
  }
}
