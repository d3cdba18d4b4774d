import { IsIn } from 'class-validator';

import { Documented } from '../http/decorators/documented.js';
import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { PageQuery } from '../http/page.dto.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-delivery.entity.js';

export class ListDeliveriesQuery extends PageQuery {
  @Documented('Of this status only.')
  @Optional()
  @IsIn(DELIVERY_STATUSES, expected(`one of ${DELIVERY_STATUSES.join(', ')}`))
  status?: DeliveryStatus;
}
