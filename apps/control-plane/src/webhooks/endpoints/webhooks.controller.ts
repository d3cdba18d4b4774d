import { Body, Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { WEBHOOKS } from './webhooks.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { ChangeWebhookDto, CreateWebhookDto, RotateWebhookSecretDto } from './webhooks.dto.js';
import { WebhooksService } from './webhooks.service.js';

@Controller()
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Handles(WEBHOOKS.createWebhook)
  create(@CurrentRequest() request: CallerRequest, @Body() body: CreateWebhookDto) {
    return this.webhooks.create(request, body);
  }

  @Handles(WEBHOOKS.listWebhooks)
  list(@CurrentRequest() { caller }: CallerRequest, @Query() query: PageQuery) {
    return this.webhooks.list(caller.organizationId, query);
  }

  @Handles(WEBHOOKS.getWebhook)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.webhooks.get(caller.organizationId, id);
  }

  @Handles(WEBHOOKS.changeWebhook)
  change(@CurrentRequest() request: CallerRequest, @Param('id') id: string, @Body() body: ChangeWebhookDto) {
    return this.webhooks.change(request, id, body);
  }

  @Handles(WEBHOOKS.rotateWebhookSecret)
  rotate(
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Body() body: RotateWebhookSecretDto,
  ) {
    return this.webhooks.rotate(request, id, body);
  }

  @Handles(WEBHOOKS.deleteWebhook)
  delete(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.webhooks.delete(request, id);
  }
}
