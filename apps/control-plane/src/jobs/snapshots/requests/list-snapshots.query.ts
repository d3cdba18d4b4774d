import { MAX_NAME_LENGTH } from '@understudy/sync-job';
import { IsIn, IsString, Length } from 'class-validator';
import { ILike, In, IsNull, Not, type FindOptionsWhere } from 'typeorm';

import { Documented } from '../../../platform/http/dto/documented.js';
import { Optional, expected } from '../../../platform/http/dto/field-validators.js';
import { PageQuery } from '../../../platform/http/dto/page.dto.js';
import { SelectsTables, type TablesDetail } from '../../sync-jobs/requests/tables-detail.js';
import { SNAPSHOT_STATUSES, type SnapshotStatus } from '../snapshot-status.js';
import type { SnapshotEntity } from '../snapshot.entity.js';

export class ListSnapshotsQuery extends PageQuery {
  @Documented('Lists only snapshots with this status.')
  @Optional()
  @IsIn(SNAPSHOT_STATUSES, expected(`one of ${SNAPSHOT_STATUSES.join(', ')}`))
  status?: SnapshotStatus;

  @Documented('Lists only snapshots whose name contains this text, in upper or lower case.')
  @Optional()
  @IsString(expected(`a string of 1 to ${MAX_NAME_LENGTH} characters`))
  @Length(1, MAX_NAME_LENGTH, expected(`a string of 1 to ${MAX_NAME_LENGTH} characters`))
  name?: string;

  @SelectsTables('With `none`, `tables` is empty for every snapshot, which limits the size of the response.')
  tables?: TablesDetail;
}

/** Returns the conditions of the query. Pure. */
export function snapshotFilter({ status, name }: ListSnapshotsQuery): FindOptionsWhere<SnapshotEntity> {
  return {
    ...(status === undefined ? {} : STATUS_CONDITIONS[status]),
    ...(name === undefined ? {} : { name: ILike(`%${name.replace(/[\\%_]/g, '\\$&')}%`) }),
  };
}

const KEPT = { deleteRequestedAt: IsNull(), expiredAt: IsNull() };

/** The conditions of each status, as `snapshotStatus` defines them. */
const STATUS_CONDITIONS: Readonly<Record<SnapshotStatus, FindOptionsWhere<SnapshotEntity>>> = {
  creating: { ...KEPT, status: In(['pending', 'running']) },
  ready: { ...KEPT, status: 'completed' },
  failed: { ...KEPT, status: 'failed' },
  expired: { deleteRequestedAt: IsNull(), expiredAt: Not(IsNull()) },
  deleting: { deleteRequestedAt: Not(IsNull()) },
};
