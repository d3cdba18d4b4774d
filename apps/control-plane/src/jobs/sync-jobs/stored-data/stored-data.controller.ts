import { Controller, Get, Param, Query } from '@nestjs/common';

import { NoQuery } from '../../../platform/http/dto/empty-request.dto.js';
import { CurrentCaller } from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import type { StoredDataResponse } from './stored-data-response.js';
import { StoredDataService } from './stored-data.service.js';

@Controller('sync/jobs')
export class StoredDataController {
  constructor(private readonly storedData: StoredDataService) {}

  @Get(':id/stored-data')
  get(
    @CurrentCaller() { organizationId }: Caller,
    @Query() _: NoQuery,
    @Param('id') id: string,
  ): Promise<StoredDataResponse> {
    return this.storedData.get(organizationId, id);
  }
}
