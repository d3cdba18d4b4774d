import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';

import {
  type CallerRequest,
  CurrentCaller,
  CurrentRequest,
} from '../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../platform/http/pipeline/caller.js';
import { NoBody, NoQuery } from '../../platform/http/dto/empty-request.dto.js';
import { ListDeliveriesQuery } from './list-deliveries.query.js';
import { RecoverDeliveriesDto } from './recover-deliveries.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@Controller('webhooks')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get(':id/deliveries')
  list(
    @CurrentCaller() { organizationId }: Caller,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ) {
    return this.deliveries.list(organizationId, id, query);
  }

  @Post(':id/test')
  test(
    @Query() _: NoQuery,
    @Body() __: NoBody,
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
  ) {
    return this.deliveries.test(request, id);
  }

  @Post(':id/recover')
  recover(
    @Query() _: NoQuery,
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
    @Body() body: RecoverDeliveriesDto,
  ) {
    return this.deliveries.recover(request, id, body);
  }

  @Get('deliveries/:id')
  get(@CurrentCaller() { organizationId }: Caller, @Query() _: NoQuery, @Param('id') id: string) {
    return this.deliveries.get(organizationId, id);
  }

  @Post('deliveries/:id/resend')
  resend(
    @Query() _: NoQuery,
    @Body() __: NoBody,
    @CurrentRequest() request: CallerRequest,
    @Param('id') id: string,
  ) {
    return this.deliveries.resend(request, id);
  }
}
