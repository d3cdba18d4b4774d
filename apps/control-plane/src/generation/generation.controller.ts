import { Body, Controller, HttpCode, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { RequiresRole } from '../http/decorators/requires-role.js';
import { NoQuery } from '../http/no-query.dto.js';
import { WithMeta } from '../http/with-meta.js';
import { GenerateDto } from './generate.dto.js';
import { GenerationService } from './generation.service.js';

@Controller('generate')
export class GenerationController {
  constructor(private readonly generation: GenerationService) {}

  @Post()
  @HttpCode(200)
  @RequiresRole('viewer')
  async generate(
    @Body() body: GenerateDto,
    @Query() _: NoQuery,
    @Req() request: FastifyRequest,
  ): Promise<WithMeta> {
    const { data, meta } = await this.generation.generate(body, () => !request.raw.socket.destroyed);
    return new WithMeta(data, meta);
  }
}
