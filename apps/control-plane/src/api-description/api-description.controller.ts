import { Controller, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Handles } from '../platform/http/operations/handles.js';
import { DESCRIPTION } from './api-description.operations.js';
import { WithoutEnvelope } from '../platform/http/pipeline/envelope.interceptor.js';
import { matchesTag } from '../platform/http/pipeline/entity-tag.js';
import { API_DESCRIPTION_ETAG, API_DESCRIPTION_TEXT } from './openapi-document.js';

const SECONDS = 300;

@Controller()
@WithoutEnvelope()
export class ApiDescriptionController {
  @Handles(DESCRIPTION.getApiDescription)
  get(
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined {
    void reply.headers({ etag: API_DESCRIPTION_ETAG, 'cache-control': `public, max-age=${SECONDS}` });
    if (matchesTag(known, API_DESCRIPTION_ETAG)) {
      void reply.status(304);
      return undefined;
    }
    void reply.header('content-type', 'application/json; charset=utf-8');
    return API_DESCRIPTION_TEXT;
  }
}
