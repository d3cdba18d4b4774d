import { Controller, Param } from '@nestjs/common';

import { Handles } from '../../../platform/http/operations/handles.js';
import { STORED_DATA } from './stored-data.operations.js';
import { CurrentCaller } from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import type { StoredDataResponse } from './stored-data-response.js';
import { StoredDataService } from './stored-data.service.js';

/**
 * Shows what is stored about a sync job: the facts that the control plane stores, and each field that an agent can
 * send about a job.
 */
@Controller()
export class StoredDataController {
  constructor(private readonly storedData: StoredDataService) {}

  @Handles(STORED_DATA.getSyncJobStoredData)
  get(@CurrentCaller() { organizationId }: Caller, @Param('id') id: string): Promise<StoredDataResponse> {
    return this.storedData.get(organizationId, id);
  }
}
