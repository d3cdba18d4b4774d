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
  MAX_IGNORED_TABLES,
  MAX_LIMIT,
  MAX_NAME_LENGTH,
  MAX_TABLES,
  UNLISTED_COLUMNS,
  SOURCE_CODE_MODES,
  type SourceCodeMode,
  UNLISTED_TABLES,
  type UnlistedColumns,
  type UnlistedTables,
  isString,
} from '@understudy/sync-job';

import { SelectsAgent, type AgentSelectorDto } from '../../../agents/agent-work/choice/agent-selector.dto.js';
import { Documented } from '../../../platform/http/dto/documented.js';
import {
  IsInstant,
  IsIntegerBetween,
  IsSeed,
  Optional,
  expected,
} from '../../../platform/http/dto/field-validators.js';
import { Nested, isRecord } from '../../../platform/http/dto/read-dto.js';

const IsUnlistedColumns = (): PropertyDecorator =>
  IsIn(UNLISTED_COLUMNS, expected('"preserve", "reject" or "null"'));
const IsPlainObject = (what: string): PropertyDecorator =>
  ValidateBy({ name: 'isPlainObject', validator: { validate: isRecord } }, expected(what));

const IsTableNames = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isTableNames', validator: { validate: isTableNames } },
    expected(`an array of at most ${MAX_IGNORED_TABLES} table names`),
  );
const isTableNames = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_IGNORED_TABLES && value.every(isString);

const COLUMNS =
  'Column name → column rule: `{generator: <model id>}`, `{generator: "template", pattern}`, a generator definition, `{json: {<path>: <rule>}}` for values inside json and jsonb columns, or `{preserve: true}`. Modifiers: `unique`, `nullable`, `transform`, `constraints`, `differs`, `consistent`. `differs: true` needs a rule with at least 20 distinct values, or 1,000 on a column that the policy of the agent protects. `consistent: true` gives equal originals equal new values, which preserves joins but reveals frequencies.';

export class DatabaseDto {
  @Documented('Kind of database.')
  @IsIn(['postgresql', 'postgres'], expected('"postgresql"'))
  type: string;

  @Documented(
    "A database from the agent's configuration (`agent:<name>`), or a URL `postgresql://user:password@host:5432/database`. A URL is sealed immediately, so that only agents can read it. It is always shown without its password.",
    { maxLength: 2_048 },
  )
  @IsString(expected('a string'))
  connection_string: string;
}

export class SubsetDto {
  @Documented(
    "A condition on the table's own columns, at most 4,096 bytes. It can use `=`, `<>`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL, AND, OR, NOT, parentheses and literals, but no functions, subqueries or other tables. The agent's policy must allow the condition.",
    { maxLength: 4_096, examples: ["country = 'CZ' AND created_at >= date '2025-01-01'"] },
  )
  @Optional()
  @IsString(expected('an SQL condition'))
  where?: string;

  @Documented('Maximum number of rows: the first ones by primary key that match the condition.')
  @Optional()
  @IsIntegerBetween(0, MAX_LIMIT)
  limit?: number;
}

export class TableDto {
  @Documented(
    'Name of the table, written as in SQL: `t`, `schema.t` or `"Odd Schema"."T"`. The default schema is `public`.',
  )
  @IsString(expected('a table name'))
  name: string;

  /** The rules by column name. libs/column-rule parses them. */
  @Documented(COLUMNS, { additionalProperties: { type: 'object' }, maxProperties: MAX_COLUMNS })
  @Optional()
  @IsPlainObject('an object of column rules')
  columns?: Record<string, unknown>;

  @Documented('What happens to columns of this table without a rule. The default is the value of the job.')
  @Optional()
  @IsUnlistedColumns()
  unlisted_columns?: UnlistedColumns;

  @Documented(
    'The rows to copy: `where`, `limit` or both. Rows to which these rows refer are copied, too, from any listed table. In a table without a subset, rows that refer to a row that is not copied are omitted.',
    { minProperties: 1 },
  )
  @Optional()
  @IsPlainObject('an object {where, limit}')
  @ValidateNested()
  @Nested(() => SubsetDto)
  subset?: SubsetDto;
}

export class CreateSyncJobDto {
  /** Messages for fields that a later version will support. They explain more than "is not a known field". */
  static readonly hints: ReadonlyMap<string, string> = new Map(
    ['webhook', 'schedule'].map((field) => [field, 'is not supported yet']),
  );

  @Documented('Name of the job.')
  @IsString(expected('a string of 1 to 200 characters'))
  @Length(1, MAX_NAME_LENGTH, expected('a string of 1 to 200 characters'))
  name: string;

  @Documented('The database to read. Every transaction on it is read-only.')
  @IsPlainObject('an object {type, connection_string}')
  @ValidateNested()
  @Nested(() => DatabaseDto)
  source: DatabaseDto;

  @Documented('The database to write. All listed tables are replaced in one transaction.')
  @IsPlainObject('an object {type, connection_string}')
  @ValidateNested()
  @Nested(() => DatabaseDto)
  target: DatabaseDto;

  @SelectsAgent()
  agent?: AgentSelectorDto;

  @Documented('The tables to copy. Each table can be listed once.')
  @ArrayMinSize(1, expected('at least one table'))
  @ArrayMaxSize(MAX_TABLES, expected(`at most ${MAX_TABLES} tables`))
  @IsArray(expected('an array of tables'))
  @ValidateNested({ each: true, message: 'expected objects {name, columns}' })
  @Nested(() => TableDto)
  tables: TableDto[];

  @Documented(
    'What happens to columns without a rule: `preserve` copies them unchanged, `reject` fails the job before a row is read, and `null` writes NULL.',
    {
      default: 'preserve',
    },
  )
  @Optional()
  @IsUnlistedColumns()
  unlisted_columns?: UnlistedColumns;

  @Documented(
    'What happens if the source has a table that is neither in `tables` nor in `ignored_tables`. `reject` fails the job before a row is read, `warn` adds a warning with the number of these tables, and `ignore` does nothing. Partitions belong to their parent, and tables of extensions do not count.',
    { default: 'ignore' },
  )
  @Optional()
  @IsIn(UNLISTED_TABLES, expected('"reject", "warn" or "ignore"'))
  unlisted_tables?: UnlistedTables;

  @Documented(
    'The tables of the source that are left out on purpose, written as the names in `tables`. The job fails if the source has no such table. Requires `unlisted_tables`: `reject` or `warn`.',
    { items: { type: 'string' }, maxItems: MAX_IGNORED_TABLES },
  )
  @Optional()
  @IsTableNames()
  ignored_tables?: string[];

  @Documented(
    'Refreshes materialized views of the target that depend on replaced tables, after the tables are replaced. Otherwise a warning has the number of these views.',
    { default: false },
  )
  @Optional()
  @IsBoolean(expected('true or false'))
  refresh_materialized_views?: boolean;

  @Documented(
    'What happens to triggers, rules, policies, constraints, indexes, defaults and statistics of missing tables that call functions of the source. `omit` does not create them, and adds a warning for each kind. A generated column that calls such a function needs a rule. Without this field, the policy of the agent decides whether they are created.',
  )
  @Optional()
  @IsIn(SOURCE_CODE_MODES, expected('"omit"'))
  source_code?: SourceCodeMode;

  @Documented(
    'Runs all checks on the agent and copies nothing. The job ends as `completed` with a `prediction`. It counts for no quota and sends no webhooks.',
    { default: false },
  )
  @Optional()
  @IsBoolean(expected('true or false'))
  dry_run?: boolean;

  @Documented(
    'Random seed. The same job with the same seed and `now` gives the same values. The default is a random seed.',
  )
  @Optional()
  @IsSeed()
  seed?: number;

  /** The instant to which relative dates refer. */
  @Documented('Reference instant of relative dates (ISO 8601). Default: the start of the current UTC day.')
  @Optional()
  @IsInstant()
  now?: string;
}
