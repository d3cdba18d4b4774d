import { type Declaration, OPTIONS, type RequestedOptions, UNLISTED_COLUMNS } from '@understudy/sync-job';
import { Type, type TOptional, type TSchema, type TUnsafe } from 'typebox';

import {
  instant,
  named,
  nullable,
  oneOf,
  type ResponseOf,
} from '../../../platform/http/operations/schemas.js';

const DATABASE = {
  type: Type.Literal('postgresql'),
  connection_string: nullable(Type.String(), '`agent:<name>`; null for a URL, which is withheld.'),
};

type OptionalName = Exclude<keyof RequestedOptions, 'unlisted_columns' | 'dry_run'>;
type OptionalFields = { [Name in OptionalName]: TOptional<TUnsafe<RequestedOptions[Name]>> };

/** The texts about options that explain less than those of the request. */
const DESCRIPTIONS = new Map<string, string>([
  ['unlisted_tables', 'What happens to tables of the source that the request does not name.'],
  ['ignored_tables', 'The tables that are left out on purpose.'],
  ['refresh_materialized_views', 'Whether dependent materialized views of the target are refreshed.'],
  ['source_code', 'What happens to parts of missing tables that call functions of the source.'],
  ['orphans', 'What happens to rows that break a foreign key between tables of the job.'],
  ['replace', 'What the job replaces: the listed tables, or the whole database.'],
  ['drop_target_only', 'Whether the job may drop objects that only the target has.'],
  ['security_definer', 'What happens to functions that are SECURITY DEFINER.'],
  ['large_objects', 'What happens to large objects of the source.'],
  ['privileges', 'The privileges on the objects of the new database.'],
  ['owners', 'The owners of the objects of the new database.'],
  ['publications', 'The publications of the new database.'],
  ['tablespaces', 'The tablespaces of tables and indexes of the new database.'],
  ['exclude_schemas', 'The schemas of the source that the new database does not get.'],
  ['exclude_tables', 'The tables of the source that the new database does not get.'],
  ['skip_objects', 'Patterns of other objects that the new database does not get.'],
  ['end_sessions', 'Whether the job ends the sessions that use the replaced database.'],
]);

/** The options of the request that are absent if the request did not have them. */
function optionalFields(): OptionalFields {
  const { unlisted_columns: _, dry_run: __, ...options } = OPTIONS;
  const fields = Object.entries(options).map(([name, declaration]) => [
    name,
    Type.Optional(optionSchema(declaration, DESCRIPTIONS.get(name) ?? declaration.description)),
  ]);
  return Object.fromEntries(fields) as OptionalFields;
}

function optionSchema({ type, enum: modes = [] }: Declaration, description: string): TSchema {
  switch (type) {
    case 'boolean':
      return Type.Boolean({ description });
    case 'integer':
      return Type.Integer({ description });
    case 'array':
      return Type.Array(Type.String(), { description });
    default:
      return oneOf(modes, description);
  }
}

export const SyncJobDefinitionResponse = named('SyncJobDefinition', {
  definition: Type.Object(
    {
      name: Type.String(),
      source: Type.Object(DATABASE, { description: 'The database to read.' }),
      target: Type.Object(DATABASE, { description: 'The database to write.' }),
      agent: Type.Optional(
        Type.Object(
          {
            id: Type.Optional(Type.String()),
            name: Type.Optional(Type.String()),
            labels: Type.Optional(Type.Array(Type.String())),
          },
          { description: 'The selected agents; absent if the request selected none.' },
        ),
      ),
      tables: Type.Array(
        Type.Object({
          name: Type.String(),
          columns: Type.Record(Type.String(), Type.Unknown(), {
            description: 'Column name → column rule. A withheld rule is null.',
          }),
          unlisted_columns: Type.Optional(
            oneOf(UNLISTED_COLUMNS, 'What happens to columns of this table without a rule.'),
          ),
          rows: Type.Optional(
            oneOf(['none'], '`none` if the table is created without rows. Such tables are the last ones.'),
          ),
          subset: Type.Optional(
            Type.Object({
              where: Type.Optional(
                Type.Null({ description: 'Null, because conditions are withheld; absent without one.' }),
              ),
              limit: Type.Optional(Type.Integer({ minimum: 0 })),
            }),
          ),
        }),
      ),
      unlisted_columns: oneOf(UNLISTED_COLUMNS, 'What happens to columns without a rule.'),
      ...optionalFields(),
      dry_run: Type.Boolean({ description: 'Whether the job only runs checks.' }),
      seed: Type.Integer({ description: 'Random seed, also if the control plane chose it.' }),
      now: instant('Reference instant of relative dates, also if the control plane chose it.'),
    },
    { description: 'A request for `POST /v1/sync/jobs`, without its withheld parts.' },
  ),
  withheld: Type.Array(Type.String(), {
    description:
      'Paths of the parts that are null in `definition`, such as `source.connection_string`, `tables[3].subset.where` and `tables[0].columns.status`. Empty if the definition is complete.',
  }),
});
export type SyncJobDefinitionResponse = ResponseOf<typeof SyncJobDefinitionResponse>;
