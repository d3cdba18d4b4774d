import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { WithoutEnvelope } from '../../platform/http/pipeline/envelope.interceptor.js';
import { NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { ListModelsQuery } from './list-models.query.js';
import { ModelsService } from './models.service.js';
import { sendModelFile } from './custom/send-model-file.js';
import { UploadModelDto } from './custom/upload-model.dto.js';

@Controller('models')
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: ListModelsQuery) {
    return this.models.list(organizationId, query);
  }

  @Post()
  upload(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Body() form: UploadModelDto) {
    return this.models.upload(request, form);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.models.get(organizationId, id);
  }

  @Get(':id/content')
  @WithoutEnvelope()
  async download(
    @CurrentCaller() { organizationId }: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() _: NoQuery,
    @Param('id') id: string,
  ) {
    return sendModelFile(request, reply, await this.models.file(organizationId, id));
  }

  @Delete(':id')
  delete(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Param('id') id: string) {
    return this.models.delete(request, id);
  }
}
