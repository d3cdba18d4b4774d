import { SYNC_JOB_REQUEST, type SyncJobRequest } from '@understudy/sync-job';

import { declaredDto } from '../../../platform/http/dto/declared.js';

/** The body of `POST /v1/sync/jobs`. libs/sync-job declares its fields, and reads them. */
export class CreateSyncJobDto extends declaredDto<SyncJobRequest>(SYNC_JOB_REQUEST) {
  /** Messages for fields that a later version will support. They explain more than "is not a known field". */
  static readonly hints: ReadonlyMap<string, string> = new Map(
    ['webhook', 'schedule'].map((field) => [field, 'is not supported yet']),
  );
}
