import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { WithoutEnvelope } from '../http/decorators/without-envelope.js';
import { MetricsService } from './metrics.service.js';
import { ReadinessService } from './readiness.service.js';

/** For those who run the service; outside /v1, without tokens. */
@Controller()
@WithoutEnvelope()
export class OperationsController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly metrics: MetricsService,
  ) {}

  @Get('healthz')
  health(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const services = await this.readiness.read();
    const ready = Object.values(services).every((presence) => presence === 'ok');
    void reply.status(ready ? 200 : 503);
    return { status: ready ? 'ok' : 'unavailable', services };
  }

  @Get('metrics')
  async metricsText(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { contentType, body } = await this.metrics.text();
    void reply.header('content-type', contentType);
    return body;
  }
}
