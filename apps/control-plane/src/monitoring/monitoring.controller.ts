import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { WithoutEnvelope } from '../platform/http/pipeline/envelope.interceptor.js';
import { ReadinessService, type Readiness } from './readiness.service.js';

/**
 * Health checks for load balancers, outside /v1 and without tokens. `OpsServer` serves a detailed `/readyz`.
 */
@Controller()
@WithoutEnvelope()
export class OperationsController {
  constructor(private readonly readiness: ReadinessService) {}

  @Get('healthz')
  health(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.readiness.read();
    void reply.status(readiness.status === 'ok' ? 200 : 503);
    return readiness;
  }
}
