import { Body, Controller, Post, Query, StreamableFile } from '@nestjs/common';

import { WithoutEnvelope } from '../../../platform/http/pipeline/envelope.interceptor.js';
import { FromAgent, type SignedRequest } from '../../../platform/http/pipeline/signed-request.js';
import { NoQuery } from '../../../platform/http/dto/empty-request.dto.js';
import { HostedModelDto } from './hosted-model.dto.js';
import { HostedModelsService } from './hosted-models.service.js';

/** Serves agents, which have no API token and sign their requests instead. */
@Controller('agents/hosted-models')
export class HostedModelsController {
  constructor(private readonly models: HostedModelsService) {}

  @Post()
  @WithoutEnvelope()
  async fetch(
    @FromAgent() request: SignedRequest,
    @Query() _: NoQuery,
    @Body() body: HostedModelDto,
  ): Promise<StreamableFile> {
    const file = await this.models.file(request, body);
    const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
    return new StreamableFile(bytes, { type: 'application/octet-stream', length: bytes.length });
  }
}
