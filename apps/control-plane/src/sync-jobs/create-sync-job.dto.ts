import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsString,
  Length,
  ValidateBy,
  ValidateNested,
} from 'class-validator';

import type { UnlistedColumns } from '../agent-link/sync-job-command.js';
import { IsInstant } from '../http/decorators/is-instant.js';
import { IsSeed } from '../http/decorators/is-integer-between.js';
import { Nested } from '../http/decorators/nested.js';
import { Optional } from '../http/decorators/optional.js';
import { expected } from '../http/kind-of.js';
import { isRecord } from '../http/read-dto.js';

export const MAX_TABLES = 1_000;
export const MAX_COLUMNS = 1_600;

const UNLISTED_COLUMNS: readonly UnlistedColumns[] = ['preserve', 'reject', 'null'];
const IsUnlistedColumns = (): PropertyDecorator =>
  IsIn(UNLISTED_COLUMNS, expected('"preserve", "reject" or "null"'));
const IsPlainObject = (what: string): PropertyDecorator =>
  ValidateBy({ name: 'isPlainObject', validator: { validate: isRecord } }, expected(what));

export class DatabaseDto {
  @IsIn(['postgresql', 'postgres'], expected('"postgresql"'))
  type: string;

  @IsString(expected('a string'))
  connection_string: string;
}

export class TableDto {
  @IsString(expected('a table name'))
  name: string;

  /** Column name → rule. The rules are read by libs/column-rule. */
  @Optional()
  @IsPlainObject('an object of column rules')
  columns?: Record<string, unknown>;

  @Optional()
  @IsUnlistedColumns()
  unlisted_columns?: UnlistedColumns;
}

export class CreateSyncJobDto {
  /** Fields that are known by plan, to say more than "unknown". */
  static readonly hints: ReadonlyMap<string, string> = new Map(
    ['subset', 'dry_run', 'where', 'webhook', 'schedule'].map((field) => [field, 'is not supported yet']),
  );

  @IsString(expected('a string of 1 to 200 characters'))
  @Length(1, 200, expected('a string of 1 to 200 characters'))
  name: string;

  @IsPlainObject('an object {type, connection_string}')
  @ValidateNested()
  @Nested(() => DatabaseDto)
  source: DatabaseDto;

  @IsPlainObject('an object {type, connection_string}')
  @ValidateNested()
  @Nested(() => DatabaseDto)
  target: DatabaseDto;

  @IsArray(expected('an array of tables'))
  @ArrayMinSize(1, expected('at least one table'))
  @ArrayMaxSize(MAX_TABLES, expected(`at most ${MAX_TABLES} tables`))
  @ValidateNested({ each: true, message: 'expected objects {name, columns}' })
  @Nested(() => TableDto)
  tables: TableDto[];

  @Optional()
  @IsUnlistedColumns()
  unlisted_columns?: UnlistedColumns;

  @Optional()
  @IsSeed()
  seed?: number;

  /** The instant relative dates resolve against. */
  @Optional()
  @IsInstant()
  now?: string;
}
