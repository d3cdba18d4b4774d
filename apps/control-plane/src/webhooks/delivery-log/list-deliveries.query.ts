import { IsIn } from 'class-validator';

import { Documented } from '../../http/dto/documented.js';
import { Optional, expected } from '../../http/dto/field-validators.js';
import { PageQuery } from '../../http/dto/page.dto.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../delivery/webhook-delivery.entity.js';

export class ListDeliveriesQuery extends PageQuery {
  @Documented('Lists only deliveries with this status.')
  @Optional()
  @IsIn(DELIVERY_STATUSES, expected(`one of ${DELIVERY_STATUSES.join(', ')}`))
  status?: DeliveryStatus;
}
