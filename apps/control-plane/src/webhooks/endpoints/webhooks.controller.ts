import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { ChangeWebhookDto, CreateWebhookDto, RotateWebhookSecretDto } from './webhooks.dto.js';
import { WebhooksService } from './webhooks.service.js';

@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  create(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Body() body: CreateWebhookDto) {
    return this.webhooks.create(request, body);
  }

  @Get()
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: PageQuery) {
    return this.webhooks.list(organizationId, query);
  }

  @Get(':id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.webhooks.get(organizationId, id);
  }

  @Patch(':id')
  change(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Param('id') id: string,
    @Body() body: ChangeWebhookDto,
  ) {
    return this.webhooks.change(request, id, body);
  }

  @Post(':id/rotate')
  rotate(
    @CurrentRequest() request: CallerRequest,
    @Query() _: NoQuery,
    @Param('id') id: string,
    @Body() body: RotateWebhookSecretDto,
  ) {
    return this.webhooks.rotate(request, id, body);
  }

  @Delete(':id')
  delete(@CurrentRequest() request: CallerRequest, @Query() _: NoQuery, @Param('id') id: string) {
    return this.webhooks.delete(request, id);
  }
}
