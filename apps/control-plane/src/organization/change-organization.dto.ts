import { IsIn } from 'class-validator';

import { PLANS, type Plan } from '../config/plans.js';
import { Documented } from '../http/dto/documented.js';
import { expected } from '../http/dto/field-validators.js';

export class ChangeOrganizationDto {
  @Documented('The plan, which sets limits and quotas from the next request.')
  @IsIn(PLANS, expected(`one of ${PLANS.join(', ')}`))
  plan: Plan;
}
