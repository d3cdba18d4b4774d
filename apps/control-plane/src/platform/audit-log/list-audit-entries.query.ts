import { IsIn, IsString, Length } from 'class-validator';

import { Documented } from '../http/dto/documented.js';
import { IsInstant, Optional, expected } from '../http/dto/field-validators.js';
import { PageQuery } from '../http/dto/page.dto.js';
import { AUDIT_ACTIONS, type AuditAction } from './audit-entry.js';

const IsId = (): PropertyDecorator => Length(1, 300, expected('an id of 1 to 300 characters'));

export class ListAuditEntriesQuery extends PageQuery {
  @Documented('Returns only entries of this action.')
  @Optional()
  @IsIn(AUDIT_ACTIONS, expected(`one of ${AUDIT_ACTIONS.join(', ')}`))
  action?: AuditAction;

  @Documented('Returns only changes by this token, member or agent.')
  @Optional()
  @IsString(expected('an id'))
  @IsId()
  actor_id?: string;

  @Documented('Returns only changes to the resource with this id.')
  @Optional()
  @IsString(expected('an id'))
  @IsId()
  target_id?: string;

  @Documented('Returns only changes that the request with this id made (`meta.request_id` of its response).')
  @Optional()
  @IsString(expected('an id'))
  @IsId()
  request_id?: string;

  @Documented('Returns only changes at this time or later (ISO 8601).')
  @Optional()
  @IsInstant()
  occurred_after?: string;

  @Documented('Returns only changes before this time (ISO 8601).')
  @Optional()
  @IsInstant()
  occurred_before?: string;
}
