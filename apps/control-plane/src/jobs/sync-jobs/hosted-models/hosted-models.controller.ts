import { Body, Controller, StreamableFile } from '@nestjs/common';

import { Readable } from 'node:stream';

import { Handles } from '../../../platform/http/operations/handles.js';
import { HOSTED_MODELS } from './hosted-models.operations.js';
import { WithoutEnvelope } from '../../../platform/http/pipeline/envelope.interceptor.js';
import { FromAgent, type SignedRequest } from '../../../platform/http/pipeline/signed-request.js';
import { HostedModelDto } from './hosted-model.dto.js';
import { HostedModelsService } from './hosted-models.service.js';

/** Serves agents, which have no API token and sign their requests instead. */
@Controller()
export class HostedModelsController {
  constructor(private readonly models: HostedModelsService) {}

  @Handles(HOSTED_MODELS.fetchHostedModel)
  @WithoutEnvelope()
  async fetch(@FromAgent() request: SignedRequest, @Body() body: HostedModelDto): Promise<StreamableFile> {
    const { content, byteLength: length } = await this.models.file(request, body);
    const parts = content instanceof Uint8Array ? [content] : content;
    const stream = Readable.from(parts, { objectMode: false });
    return new StreamableFile(stream, { type: 'application/octet-stream', length });
  }
}
