import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { DeliveryStore } from './delivery-store.js';
import { DeliverySweep } from './delivery-sweep.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { WebhookEventEntity } from './webhook-event.entity.js';
import { WebhookEventsService } from './webhook-events.service.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Events of the other features, on their way to the systems of an organisation. */
@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpointEntity, WebhookEventEntity, WebhookDeliveryEntity])],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    DeliveryStore,
    DeliverySweep,
    WebhookDeliveriesService,
    WebhookEventsService,
    WebhookSender,
    WebhooksService,
  ],
  exports: [WebhookEventsService, WebhooksService],
})
export class WebhooksModule {}
