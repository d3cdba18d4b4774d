import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';

import type { Caller } from '../http/caller.js';
import { CurrentCaller } from '../http/decorators/current-caller.js';
import { NoQuery } from '../http/no-query.dto.js';
import { ListModelsQuery } from './list-models.query.js';
import { ModelsService } from './models.service.js';
import { UploadModelDto } from './upload-model.dto.js';

@Controller('models')
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: ListModelsQuery) {
    return this.models.list(organizationId, query);
  }

  @Post()
  upload(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Body() form: UploadModelDto) {
    return this.models.upload(organizationId, form);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.models.get(organizationId, id);
  }

  @Delete(':id')
  delete(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.models.delete(organizationId, id);
  }
}
