import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { WithoutEnvelope } from '../http/pipeline/envelope.interceptor.js';
import { NoQuery } from '../http/dto/empty-request.dto.js';
import { API_DESCRIPTION_ETAG, API_DESCRIPTION_TEXT } from './api-description.js';

const SECONDS = 300;

@Controller('openapi.json')
@WithoutEnvelope()
export class ApiDescriptionController {
  @Get()
  get(
    @Query() _: NoQuery,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined {
    void reply.headers({ etag: API_DESCRIPTION_ETAG, 'cache-control': `public, max-age=${SECONDS}` });
    if (matches(known)) {
      void reply.status(304);
      return undefined;
    }
    void reply.header('content-type', 'application/json; charset=utf-8');
    return API_DESCRIPTION_TEXT;
  }
}

/**
 * Returns whether an `If-None-Match` header (RFC 9110, 13.1.2) is `*` or lists the tag of the document.
 * Accepts weak tags, because proxies that compress the response make the tag weak.
 */
function matches(known = ''): boolean {
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(API_DESCRIPTION_ETAG);
}
