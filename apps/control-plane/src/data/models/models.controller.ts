import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Handles } from '../../platform/http/operations/handles.js';
import { MODELS } from './models.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { WithoutEnvelope } from '../../platform/http/pipeline/envelope.interceptor.js';
import { ListModelsQuery } from './list-models.query.js';
import { ModelsService } from './models.service.js';
import { sendModelFile } from './custom/send-model-file.js';
import { UploadModelDto } from './custom/upload-model.dto.js';

@Controller()
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Handles(MODELS.listModels)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: ListModelsQuery) {
    return this.models.list(caller.organizationId, query);
  }

  @Handles(MODELS.uploadModel)
  upload(@CurrentRequest() request: CallerRequest, @Body() form: UploadModelDto) {
    return this.models.upload(request, form);
  }

  @Handles(MODELS.getModel)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.models.get(caller.organizationId, id);
  }

  @Handles(MODELS.downloadModel)
  @WithoutEnvelope()
  async download(
    @CurrentRequest() { caller }: CallerRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
  ) {
    return sendModelFile(request, reply, await this.models.file(caller.organizationId, id));
  }

  @Handles(MODELS.deleteModel)
  delete(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.models.delete(request, id);
  }
}
