import { Documented } from '../../platform/http/dto/documented.js';
import { IsInstant, Optional } from '../../platform/http/dto/field-validators.js';

/** The maximum number of events that one request sends again. */
export const MAX_RECOVERED = 1_000;

export class RecoverDeliveriesDto {
  @Documented('Sends again the failed deliveries that were created at this time or later (ISO 8601).')
  @IsInstant()
  since: string;

  @Documented('Leaves out deliveries that were created at this time or later (ISO 8601).')
  @Optional()
  @IsInstant()
  until?: string;
}
