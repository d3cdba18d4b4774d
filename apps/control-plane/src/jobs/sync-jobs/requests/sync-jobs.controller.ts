import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Handles } from '../../../platform/http/operations/handles.js';
import { SYNC_JOBS } from './sync-jobs.operations.js';
import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import { CreateSyncJobDto } from './create-sync-job.dto.js';
import { ListSyncJobsQuery } from './list-sync-jobs.query.js';
import type { RemovedSyncJob, SyncJobResponse } from './sync-job-response.js';
import { SyncJobReleaseService } from './sync-job-release.service.js';
import { SyncJobRemovalService } from './sync-job-removal.service.js';
import { SyncJobsService } from './sync-jobs.service.js';
import { GetSyncJobQuery } from './tables-detail.js';
import type { SyncJobDefinitionResponse } from '../definition/sync-job-definition-response.js';
import type { JobTablesResponse } from '../tables/job-tables-response.js';
import { JobTablesService } from '../tables/job-tables.service.js';
import { ListJobTablesQuery } from '../tables/list-job-tables.query.js';

@Controller()
export class SyncJobsController {
  constructor(
    private readonly jobs: SyncJobsService,
    private readonly removal: SyncJobRemovalService,
    private readonly releases: SyncJobReleaseService,
    private readonly tables: JobTablesService,
  ) {}

  @Handles(SYNC_JOBS.createSyncJob)
  create(@CurrentRequest() request: CallerRequest, @Body() body: CreateSyncJobDto): Promise<SyncJobResponse> {
    return this.jobs.create(request, body);
  }

  @Handles(SYNC_JOBS.listSyncJobs)
  list(@CurrentCaller() caller: Caller, @Query() query: ListSyncJobsQuery) {
    return this.jobs.list(caller.organizationId, query);
  }

  @Handles(SYNC_JOBS.getSyncJob)
  get(
    @CurrentCaller() caller: Caller,
    @Query() query: GetSyncJobQuery,
    @Param('id') id: string,
  ): Promise<SyncJobResponse> {
    return this.jobs.get(caller.organizationId, id, query.tables);
  }

  @Handles(SYNC_JOBS.getSyncJobDefinition)
  definition(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<SyncJobDefinitionResponse> {
    return this.jobs.definition(caller.organizationId, id);
  }

  @Handles(SYNC_JOBS.listSyncJobTables)
  listTables(
    @CurrentCaller() caller: Caller,
    @Query() query: ListJobTablesQuery,
    @Param('id') id: string,
  ): Promise<JobTablesResponse> {
    return this.tables.list(caller.organizationId, id, query);
  }

  @Handles(SYNC_JOBS.deleteSyncJob)
  async delete(
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RemovedSyncJob> {
    const removed = await this.removal.remove(request, id);
    if (!removed.deleted) void reply.status(202);
    return removed;
  }

  @Handles(SYNC_JOBS.releaseSyncJob)
  release(@CurrentRequest() request: CallerRequest, @Param('id') id: string): Promise<SyncJobResponse> {
    return this.releases.release(request, id);
  }
}
