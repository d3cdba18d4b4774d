import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import type { Deleted } from '../../../platform/http/operations/schemas.js';
import { NoQuery } from '../../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { CreateSnapshotDto } from './create-snapshot.dto.js';
import { ListSnapshotsQuery } from './list-snapshots.query.js';
import type { AcceptedRestore, RestoreResponse } from '../restores/restore-response.js';
import { RestoreSnapshotDto } from '../restores/restore-snapshot.dto.js';
import { RestoresService } from '../restores/restores.service.js';
import type { SnapshotResponse } from './snapshot-response.js';
import { SnapshotsService } from './snapshots.service.js';

@Controller('snapshots')
export class SnapshotsController {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly restores: RestoresService,
  ) {}

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: ListSnapshotsQuery) {
    return this.snapshots.list(organizationId, query);
  }

  @Post()
  create(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Body() body: CreateSnapshotDto,
  ): Promise<SnapshotResponse> {
    return this.snapshots.create(request, body);
  }

  @Get(':id')
  get(
    @CurrentCaller() { organizationId }: Caller,
    @Query() _: NoQuery,
    @Param('id') id: string,
  ): Promise<SnapshotResponse> {
    return this.snapshots.get(organizationId, id);
  }

  @Delete(':id')
  delete(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Param('id') id: string,
  ): Promise<Deleted> {
    return this.snapshots.delete(request, id);
  }

  @Post(':id/restore')
  restore(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Param('id') id: string,
    @Body() body: RestoreSnapshotDto,
  ): Promise<AcceptedRestore> {
    return this.restores.restore(request, id, body);
  }

  @Get(':id/restores')
  listRestores(
    @CurrentCaller() { organizationId }: Caller,
    @Query() query: PageQuery,
    @Param('id') id: string,
  ) {
    return this.restores.list(organizationId, id, query);
  }

  @Get(':id/restores/:restore_id')
  getRestore(
    @CurrentCaller() { organizationId }: Caller,
    @Query() _: NoQuery,
    @Param('id') id: string,
    @Param('restore_id') restoreId: string,
  ): Promise<RestoreResponse> {
    return this.restores.get(organizationId, id, restoreId);
  }
}
