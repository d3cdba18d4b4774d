import { IsIn } from 'class-validator';

import { Documented } from '../../platform/http/dto/documented.js';
import { IsInstant, Optional, expected } from '../../platform/http/dto/field-validators.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../delivery/webhook-delivery.entity.js';
import { DELIVERED_EVENT_TYPES, type DeliveredEventType } from '../events/webhook-event.js';

export class ListDeliveriesQuery extends PageQuery {
  @Documented('Lists only deliveries with this status.')
  @Optional()
  @IsIn(DELIVERY_STATUSES, expected(`one of ${DELIVERY_STATUSES.join(', ')}`))
  status?: DeliveryStatus;

  @Documented('Lists only deliveries of this event.')
  @Optional()
  @IsIn(DELIVERED_EVENT_TYPES, expected(`one of ${DELIVERED_EVENT_TYPES.join(', ')}`))
  event?: DeliveredEventType;

  @Documented('Lists only deliveries that were created at this time or later (ISO 8601).')
  @Optional()
  @IsInstant()
  created_after?: string;

  @Documented('Lists only deliveries that were created before this time (ISO 8601).')
  @Optional()
  @IsInstant()
  created_before?: string;
}
