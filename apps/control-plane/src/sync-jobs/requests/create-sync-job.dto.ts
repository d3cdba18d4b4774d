import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsString,
  Length,
  ValidateBy,
  ValidateNested,
} from 'class-validator';

import {
  MAX_COLUMNS,
  MAX_LIMIT,
  MAX_NAME_LENGTH,
  MAX_TABLES,
  UNLISTED_COLUMNS,
  type UnlistedColumns,
} from '@understudy/sync-job';

import { SelectsAgent, type AgentSelectorDto } from '../../agent-work/choice/agent-selector.dto.js';
import { Documented } from '../../http/dto/documented.js';
import { IsInstant, IsIntegerBetween, IsSeed, Optional, expected } from '../../http/dto/field-validators.js';
import { Nested, isRecord } from '../../http/dto/read-dto.js';

const IsUnlistedColumns = (): PropertyDecorator =>
  IsIn(UNLISTED_COLUMNS, expected('"preserve", "reject" or "null"'));
const IsPlainObject = (what: string): PropertyDecorator =>
  ValidateBy({ name: 'isPlainObject', validator: { validate: isRecord } }, expected(what));

const COLUMNS =
  'Column name → column rule: `{generator: <model id>}`, `{generator: "template", pattern}`, a generator definition, `{json: {<path>: <rule>}}` for places inside json and jsonb columns, or `{preserve: true}`. Modifiers: `unique`, `nullable`, `transform`, `constraints`, `differs`, `consistent`. `differs: true` needs a rule with at least 20 distinct values, or 1,000 on a column that the policy of the agent protects. `consistent: true` gives equal originals equal new values, so frequencies and joins stay visible.';

export class DatabaseDto {
  @Documented('Kind of database.')
  @IsIn(['postgresql', 'postgres'], expected('"postgresql"'))
  type: string;

  @Documented(
    'A database named in the configuration of the agent (`agent:<name>`), or a URL `postgresql://user:password@host:5432/database`, which is sealed to the agents as it arrives and shown without its password from then on.',
    { maxLength: 2_048 },
  )
  @IsString(expected('a string'))
  connection_string: string;
}

export class SubsetDto {
  @Documented(
    "A condition over the table's own columns: `=`, `<>`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL, AND, OR, NOT, parentheses and literals; no functions, subqueries or other tables. At most 4,096 bytes. The policy of the agent has to allow it.",
    { maxLength: 4_096, examples: ["country = 'CZ' AND created_at >= date '2025-01-01'"] },
  )
  @Optional()
  @IsString(expected('a condition as SQL has it'))
  where?: string;

  @Documented('The first so many rows by primary key, of those that the condition admits.')
  @Optional()
  @IsIntegerBetween(0, MAX_LIMIT)
  limit?: number;
}

export class TableDto {
  @Documented('As in SQL: `t`, `schema.t`, `"Odd Schema"."T"`; without a schema `public`.')
  @IsString(expected('a table name'))
  name: string;

  /** Column name → rule. The rules are read by libs/column-rule. */
  @Documented(COLUMNS, { additionalProperties: { type: 'object' }, maxProperties: MAX_COLUMNS })
  @Optional()
  @IsPlainObject('an object of column rules')
  columns?: Record<string, unknown>;

  @Documented("Columns of this table without a rule; the job's when left out.")
  @Optional()
  @IsUnlistedColumns()
  unlisted_columns?: UnlistedColumns;

  @Documented(
    'Which rows are asked for: `where`, `limit` or both. Rows that these refer to are copied as well, from whichever of the tables; tables without a subset lose the rows that refer to one that is not copied.',
    { minProperties: 1 },
  )
  @Optional()
  @IsPlainObject('an object {where, limit}')
  @ValidateNested()
  @Nested(() => SubsetDto)
  subset?: SubsetDto;
}

export class CreateSyncJobDto {
  /** Fields that are known by plan, to say more than "unknown". */
  static readonly hints: ReadonlyMap<string, string> = new Map(
    ['webhook', 'schedule'].map((field) => [field, 'is not supported yet']),
  );

  @Documented('What the job is called.')
  @IsString(expected('a string of 1 to 200 characters'))
  @Length(1, MAX_NAME_LENGTH, expected('a string of 1 to 200 characters'))
  name: string;

  @Documented('The database that is read; only ever in a read-only transaction.')
  @IsPlainObject('an object {type, connection_string}')
  @ValidateNested()
  @Nested(() => DatabaseDto)
  source: DatabaseDto;

  @Documented('The database whose listed tables are replaced as one unit.')
  @IsPlainObject('an object {type, connection_string}')
  @ValidateNested()
  @Nested(() => DatabaseDto)
  target: DatabaseDto;

  @SelectsAgent()
  agent?: AgentSelectorDto;

  @Documented('Tables to copy, each once.')
  @ArrayMinSize(1, expected('at least one table'))
  @ArrayMaxSize(MAX_TABLES, expected(`at most ${MAX_TABLES} tables`))
  @IsArray(expected('an array of tables'))
  @ValidateNested({ each: true, message: 'expected objects {name, columns}' })
  @Nested(() => TableDto)
  tables: TableDto[];

  @Documented(
    'Columns without a rule: copied as they are, refused before a row is read, or written as NULL.',
    {
      default: 'preserve',
    },
  )
  @Optional()
  @IsUnlistedColumns()
  unlisted_columns?: UnlistedColumns;

  @Documented(
    'Make every check on the agent and copy nothing: the job ends `completed` with a `prediction`. Counts for no quota and sends no webhooks.',
    { default: false },
  )
  @Optional()
  @IsBoolean(expected('true or false'))
  dry_run?: boolean;

  @Documented(
    'Random seed; the same job with the same seed and `now` gives the same values. Drawn when left out.',
  )
  @Optional()
  @IsSeed()
  seed?: number;

  /** The instant relative dates resolve against. */
  @Documented('Reference instant of relative dates (ISO 8601). Default: the start of the current UTC day.')
  @Optional()
  @IsInstant()
  now?: string;
}
