import { Module } from '@nestjs/common';

import { DeliveryCleanup } from './delivery/delivery-cleanup.js';
import { DeliveryStore } from './delivery/delivery-store.js';
import { DeliverySweep } from './delivery/delivery-sweep.js';
import { WebhookDeliveriesController } from './delivery-log/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './delivery-log/webhook-deliveries.service.js';
import { WebhookEventsService } from './events/webhook-events.service.js';
import { WebhookSender } from './delivery/webhook-sender.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { WebhooksService } from './endpoints/webhooks.service.js';

/** Sends the events of other features to the systems of an organisation. */
@Module({
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    DeliveryCleanup,
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
