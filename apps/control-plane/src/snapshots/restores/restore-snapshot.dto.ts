import { IsBoolean, IsString } from 'class-validator';

import { SelectsAgent, type AgentSelectorDto } from '../../agent-work/choice/agent-selector.dto.js';
import { Documented } from '../../http/dto/documented.js';
import { Optional, expected } from '../../http/dto/field-validators.js';

export class RestoreSnapshotDto {
  @Documented(
    "The database to restore into: one that the agent's policy file names for it, or a connection URL. It is created when it does not exist.",
    { maxLength: 2_048 },
  )
  @IsString(expected('the name of a database'))
  target_database: string;

  @Documented(
    'Whether a database that holds tables is replaced. The snapshot is loaded beside it and takes its place at the end: a restore that fails leaves it as it was.',
    { default: false },
  )
  @Optional()
  @IsBoolean(expected('true or false'))
  overwrite?: boolean;

  @SelectsAgent()
  agent?: AgentSelectorDto;
}
