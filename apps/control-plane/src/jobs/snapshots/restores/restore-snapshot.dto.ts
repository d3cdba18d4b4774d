import type { AgentSelection } from '@understudy/sync-job';
import { IsBoolean, IsString } from 'class-validator';

import { SelectsAgent } from '../../../agents/agent-work/choice/agent-selector.dto.js';
import { Documented } from '../../../platform/http/dto/documented.js';
import { Optional, expected } from '../../../platform/http/dto/field-validators.js';

export class RestoreSnapshotDto {
  @Documented(
    "The target database: a restore target from the agent's policy file, or a connection URL. A missing database is created.",
    { maxLength: 2_048 },
  )
  @IsString(expected('the name of a database'))
  target_database: string;

  @Documented(
    'Whether a target that contains tables is replaced. The snapshot is loaded into a new database, which replaces the target at the end. A restore that fails does not change the target.',
    { default: false },
  )
  @Optional()
  @IsBoolean(expected('true or false'))
  overwrite?: boolean;

  @SelectsAgent()
  agent?: AgentSelection;
}
