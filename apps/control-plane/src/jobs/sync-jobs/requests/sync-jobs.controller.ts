import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Handles } from '../../../platform/http/operations/handles.js';
import { SYNC_JOBS } from './sync-jobs.operations.js';
import { type CallerRequest, CurrentRequest } from '../../../platform/http/pipeline/caller-request.js';
import { UnreadBody } from '../../../platform/http/uploads/uploaded-file.js';
import { ListSyncJobsQuery } from './list-sync-jobs.query.js';
import { SyncJobReleaseService } from './sync-job-release.service.js';
import { SyncJobRemovalService } from './sync-job-removal.service.js';
import { SyncJobsService } from './sync-jobs.service.js';
import { GetSyncJobQuery } from './tables-detail.js';
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
  create(@CurrentRequest() request: CallerRequest, @Body() body: UnreadBody) {
    return this.jobs.create(request, body);
  }

  @Handles(SYNC_JOBS.runSyncJobAgain)
  runAgain(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.jobs.runAgain(request, id);
  }

  @Handles(SYNC_JOBS.listSyncJobs)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: ListSyncJobsQuery) {
    return this.jobs.list(caller.organizationId, query);
  }

  @Handles(SYNC_JOBS.getSyncJob)
  get(@CurrentRequest() { caller }: CallerRequest, @Query() query: GetSyncJobQuery, @Param('id') id: string) {
    return this.jobs.get(caller.organizationId, id, query.tables);
  }

  @Handles(SYNC_JOBS.getSyncJobDefinition)
  definition(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.jobs.definition(caller.organizationId, id);
  }

  @Handles(SYNC_JOBS.listSyncJobTables)
  listTables(
    @CurrentRequest() { caller }: CallerRequest,
    @Query() query: ListJobTablesQuery,
    @Param('id') id: string,
  ) {
    return this.tables.list(caller.organizationId, id, query);
  }

  @Handles(SYNC_JOBS.deleteSyncJob)
  async delete(
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const removed = await this.removal.remove(request, id);
    if (!removed.deleted) void reply.status(202);
    return removed;
  }

  @Handles(SYNC_JOBS.releaseSyncJob)
  release(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.releases.release(request, id);
  }
}
