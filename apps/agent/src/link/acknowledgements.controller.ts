import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import { EventDelivery } from './event-delivery.js';

/** Receives the numbers of the events that the control plane has committed. */
@Controller()
export class AcknowledgementsController {
  constructor(private readonly delivery: EventDelivery) {}

  @EventPattern('event_acknowledgement')
  acknowledged(@Payload() journalSeqs: readonly number[]): Promise<void> {
    return this.delivery.acknowledged(journalSeqs);
  }
}
