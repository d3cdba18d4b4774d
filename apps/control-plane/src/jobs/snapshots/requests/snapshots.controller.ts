import { Body, Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../../platform/http/operations/handles.js';
import { SNAPSHOTS } from './snapshots.operations.js';
import { type CallerRequest, CurrentRequest } from '../../../platform/http/pipeline/caller-request.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { CreateSnapshotDto } from './create-snapshot.dto.js';
import { ListSnapshotsQuery } from './list-snapshots.query.js';
import { RestoreSnapshotDto } from '../restores/restore-snapshot.dto.js';
import { RestoresService } from '../restores/restores.service.js';
import { SnapshotsService } from './snapshots.service.js';

@Controller()
export class SnapshotsController {
  constructor(
    private readonly snapshots: SnapshotsService,
    private readonly restores: RestoresService,
  ) {}

  @Handles(SNAPSHOTS.listSnapshots)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: ListSnapshotsQuery) {
    return this.snapshots.list(caller.organizationId, query);
  }

  @Handles(SNAPSHOTS.createSnapshot)
  create(@CurrentRequest() request: CallerRequest, @Body() body: CreateSnapshotDto) {
    return this.snapshots.create(request, body);
  }

  @Handles(SNAPSHOTS.getSnapshot)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.snapshots.get(caller.organizationId, id);
  }

  @Handles(SNAPSHOTS.deleteSnapshot)
  delete(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.snapshots.delete(request, id);
  }

  @Handles(SNAPSHOTS.restoreSnapshot)
  restore(
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Body() body: RestoreSnapshotDto,
  ) {
    return this.restores.restore(request, id, body);
  }

  @Handles(SNAPSHOTS.listSnapshotRestores)
  listRestores(
    @CurrentRequest() { caller }: CallerRequest,
    @Query() query: PageQuery,
    @Param('id') id: string,
  ) {
    return this.restores.list(caller.organizationId, id, query);
  }

  @Handles(SNAPSHOTS.getSnapshotRestore)
  getRestore(
    @CurrentRequest() { caller }: CallerRequest,
    @Param('id') id: string,
    @Param('restore_id') restoreId: string,
  ) {
    return this.restores.get(caller.organizationId, id, restoreId);
  }
}
