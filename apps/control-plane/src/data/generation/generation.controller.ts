import { Body, Controller, Req, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Handles } from '../../platform/http/operations/handles.js';
import { GENERATION } from './generation.operations.js';
import { disconnectSignal } from '../../platform/http/server/fastify.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { WithoutEnvelope } from '../../platform/http/pipeline/envelope.interceptor.js';
import { GenerateDto } from './generate.dto.js';
import { GenerationService } from './generation.service.js';
import { negotiateFormat } from './response-format.js';
import { ERRORS_HEADER, ERRORS_MARKED } from './response-frame.js';

@Controller()
export class GenerationController {
  constructor(private readonly generation: GenerationService) {}

  @Handles(GENERATION.generate)
  @WithoutEnvelope()
  async generate(
    @CurrentRequest() { id: requestId, caller: { organizationId } }: CallerRequest,
    @Body() body: GenerateDto,
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const format = negotiateFormat(body.format, headers.accept);
    const marksErrors = headers[ERRORS_HEADER] === ERRORS_MARKED;
    const gone = disconnectSignal(reply);
    const request = { organizationId, requestId, body, format, marksErrors, gone };
    const response = await this.generation.generate(request);
    void reply.headers(response.headers);
    // Nest would read a plain stream through an iterator, which notices a failure only when the client reads on.
    return new StreamableFile(response.body);
  }
}
