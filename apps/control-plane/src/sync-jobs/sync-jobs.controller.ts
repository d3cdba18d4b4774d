import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import type { Caller } from '../http/caller.js';
import { CurrentCaller } from '../http/decorators/current-caller.js';
import { RequiresRole } from '../http/decorators/requires-role.js';
import { NoQuery } from '../http/no-query.dto.js';
import { CreateSyncJobDto } from './create-sync-job.dto.js';
import { ListSyncJobsQuery } from './list-sync-jobs.query.js';
import type { SyncJobResponse } from './sync-job-response.js';
import { SyncJobsService } from './sync-jobs.service.js';

@Controller('sync/jobs')
export class SyncJobsController {
  constructor(private readonly jobs: SyncJobsService) {}

  @Post()
  @RequiresRole('member')
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateSyncJobDto,
    @Query() _: NoQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SyncJobResponse> {
    const job = await this.jobs.create(caller.organizationId, body);
    void reply.header('location', `/v1/sync/jobs/${job.id}`);
    return job;
  }

  @Get()
  @RequiresRole('viewer')
  list(@CurrentCaller() caller: Caller, @Query() query: ListSyncJobsQuery) {
    return this.jobs.list(caller.organizationId, query);
  }

  @Get(':id')
  @RequiresRole('viewer')
  get(
    @CurrentCaller() caller: Caller,
    @Query() _: NoQuery,
    @Param('id') id: string,
  ): Promise<SyncJobResponse> {
    return this.jobs.get(caller.organizationId, id);
  }
}
