import { type AgentSelection, MAX_NAME_LENGTH } from '@understudy/sync-job';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';

import { SelectsAgent } from '../../../agents/agent-work/choice/agent-selector.dto.js';
import { Documented } from '../../../platform/http/dto/documented.js';
import { IsIntegerBetween, IsName, Optional, expected } from '../../../platform/http/dto/field-validators.js';

export const MAX_SNAPSHOT_TABLES = 10_000;
export const MAX_EXPIRES_IN_DAYS = 365;
export const DEFAULT_EXPIRES_IN_DAYS = 30;

export class CreateSnapshotDto {
  @Documented('Name of the snapshot.')
  @IsName(MAX_NAME_LENGTH)
  name: string;

  @Documented(
    "A database from the agent's policy file, or a connection URL. A URL is sealed immediately, so that only agents can read it.",
    { maxLength: 2_048 },
  )
  @IsString(expected('the name of a database'))
  database: string;

  @Documented(
    'The tables to include, written as in SQL: `t`, `schema.t` or `"Odd Schema"."T"`. The default schema is `public`. Partitions are included with their parent. Without this field or with an empty array, the snapshot contains all tables.',
  )
  @Optional()
  @IsArray(expected('an array of table names'))
  @ArrayMaxSize(MAX_SNAPSHOT_TABLES, expected(`at most ${MAX_SNAPSHOT_TABLES} tables`))
  @IsString({ each: true, message: 'expected table names' })
  tables?: string[];

  @SelectsAgent()
  agent?: AgentSelection;

  @Documented('Days until the snapshot expires and is erased.', { default: DEFAULT_EXPIRES_IN_DAYS })
  @Optional()
  @IsIntegerBetween(1, MAX_EXPIRES_IN_DAYS)
  expires_in_days?: number;
}
