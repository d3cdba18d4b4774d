import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import { NoBody, NoQuery } from '../../../platform/http/dto/empty-request.dto.js';
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

@Controller('sync/jobs')
export class SyncJobsController {
  constructor(
    private readonly jobs: SyncJobsService,
    private readonly removal: SyncJobRemovalService,
    private readonly releases: SyncJobReleaseService,
    private readonly tables: JobTablesService,
  ) {}

  @Post()
  create(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Body() body: CreateSyncJobDto,
  ): Promise<SyncJobResponse> {
    return this.jobs.create(request, body);
  }

  @Get()
  list(@CurrentCaller() caller: Caller, @Query() query: ListSyncJobsQuery) {
    return this.jobs.list(caller.organizationId, query);
  }

  @Get(':id')
  get(
    @CurrentCaller() caller: Caller,
    @Query() query: GetSyncJobQuery,
    @Param('id') id: string,
  ): Promise<SyncJobResponse> {
    return this.jobs.get(caller.organizationId, id, query.tables);
  }

  @Get(':id/definition')
  definition(
    @CurrentCaller() caller: Caller,
    @Query() _: NoQuery,
    @Param('id') id: string,
  ): Promise<SyncJobDefinitionResponse> {
    return this.jobs.definition(caller.organizationId, id);
  }

  @Get(':id/tables')
  listTables(
    @CurrentCaller() caller: Caller,
    @Query() query: ListJobTablesQuery,
    @Param('id') id: string,
  ): Promise<JobTablesResponse> {
    return this.tables.list(caller.organizationId, id, query);
  }

  @Delete(':id')
  async delete(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RemovedSyncJob> {
    const removed = await this.removal.remove(request, id);
    if (!removed.deleted) void reply.status(202);
    return removed;
  }

  @Post(':id/release')
  release(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Body() __: NoBody,
    @Param('id') id: string,
  ): Promise<SyncJobResponse> {
    return this.releases.release(request, id);
  }
}
