import { IsIn } from 'class-validator';

import { PLANS, type Plan } from '../../platform/config/plans.js';
import { Documented } from '../../platform/http/dto/documented.js';
import { expected } from '../../platform/http/dto/field-validators.js';

export class ChangeOrganizationDto {
  @Documented('The plan, which sets limits and quotas from the next request.')
  @IsIn(PLANS, expected(`one of ${PLANS.join(', ')}`))
  plan: Plan;
}
