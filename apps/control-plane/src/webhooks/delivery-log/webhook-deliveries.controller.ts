import { Body, Controller, Param, Query } from '@nestjs/common';

import { Handles } from '../../platform/http/operations/handles.js';
import { WEBHOOKS } from '../endpoints/webhooks.operations.js';
import { type CallerRequest, CurrentRequest } from '../../platform/http/pipeline/caller-request.js';
import { ListDeliveriesQuery } from './list-deliveries.query.js';
import { RecoverDeliveriesDto } from './recover-deliveries.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@Controller()
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Handles(WEBHOOKS.listWebhookDeliveries)
  list(
    @CurrentRequest() { caller }: CallerRequest,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ) {
    return this.deliveries.list(caller.organizationId, id, query);
  }

  @Handles(WEBHOOKS.testWebhook)
  test(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.deliveries.test(request, id);
  }

  @Handles(WEBHOOKS.recoverWebhookDeliveries)
  recover(
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Body() body: RecoverDeliveriesDto,
  ) {
    return this.deliveries.recover(request, id, body);
  }

  @Handles(WEBHOOKS.getWebhookDelivery)
  get(@CurrentRequest() { caller }: CallerRequest, @Param('id') id: string) {
    return this.deliveries.get(caller.organizationId, id);
  }

  @Handles(WEBHOOKS.resendWebhookDelivery)
  resend(@CurrentRequest() request: CallerRequest, @Param('id') id: string) {
    return this.deliveries.resend(request, id);
  }
}
