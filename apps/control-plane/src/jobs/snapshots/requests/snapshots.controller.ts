import { Body, Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../../platform/http/operations/handles.js';
import { SNAPSHOTS } from './snapshots.operations.js';
import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import type { Deleted } from '../../../platform/http/operations/schemas.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { CreateSnapshotDto } from './create-snapshot.dto.js';
import { ListSnapshotsQuery } from './list-snapshots.query.js';
import type { AcceptedRestore, RestoreResponse } from '../restores/restore-response.js';
import { RestoreSnapshotDto } from '../restores/restore-snapshot.dto.js';
import { RestoresService } from '../restores/restores.service.js';
import type { SnapshotResponse } from './snapshot-response.js';
import { SnapshotsService } from './snapshots.service.js';

@Controller()
export class SnapshotsController {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly restores: RestoresService,
  ) {}

  @Handles(SNAPSHOTS.listSnapshots)
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: ListSnapshotsQuery) {
    return this.snapshots.list(organizationId, query);
  }

  @Handles(SNAPSHOTS.createSnapshot)
  create(
    @CurrentRequest() request: CallerRequest,
    @Body() body: CreateSnapshotDto,
  ): Promise<SnapshotResponse> {
    return this.snapshots.create(request, body);
  }

  @Handles(SNAPSHOTS.getSnapshot)
  get(@CurrentCaller() { organizationId }: Caller, @Param('id') id: string): Promise<SnapshotResponse> {
    return this.snapshots.get(organizationId, id);
  }

  @Handles(SNAPSHOTS.deleteSnapshot)
  delete(@CurrentRequest() request: CallerRequest, @Param('id') id: string): Promise<Deleted> {
    return this.snapshots.delete(request, id);
  }

  @Handles(SNAPSHOTS.restoreSnapshot)
  restore(
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Body() body: RestoreSnapshotDto,
  ): Promise<AcceptedRestore> {
    return this.restores.restore(request, id, body);
  }

  @Handles(SNAPSHOTS.listSnapshotRestores)
  listRestores(
    @CurrentCaller() { organizationId }: Caller,
    @Query() query: PageQuery,
    @Param('id') id: string,
  ) {
    return this.restores.list(organizationId, id, query);
  }

  @Handles(SNAPSHOTS.getSnapshotRestore)
  getRestore(
    @CurrentCaller() { organizationId }: Caller,
    @Param('id') id: string,
    @Param('restore_id') restoreId: string,
  ): Promise<RestoreResponse> {
    return this.restores.get(organizationId, id, restoreId);
  }
}
