import { Controller, Param } from '@nestjs/common';

import { Handles } from '../../../platform/http/operations/handles.js';
import { STORED_DATA } from './stored-data.operations.js';
import { type CallerRequest, CurrentRequest } from '../../../platform/http/pipeline/caller-request.js';
import { StoredDataService } from './stored-data.service.js';

/**
 * Shows what is stored about a sync job: the facts that the control plane stores, and each field that an agent can
 * send about a job.
 */
@Controller()
export class StoredDataController {
  constructor(private readonly storedData: StoredDataService) {}

  @Handles(STORED_DATA.getSyncJobStoredData)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.storedData.get(caller.organizationId, id);
  }
}
