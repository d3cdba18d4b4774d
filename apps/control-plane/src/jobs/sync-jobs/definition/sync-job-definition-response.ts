import { SOURCE_CODE_MODES, UNLISTED_COLUMNS, UNLISTED_TABLES } from '@understudy/sync-job';
import { Type } from 'typebox';

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
      unlisted_tables: Type.Optional(
        oneOf(UNLISTED_TABLES, 'What happens to tables of the source that the request does not name.'),
      ),
      ignored_tables: Type.Optional(
        Type.Array(Type.String(), { description: 'The tables that are left out on purpose.' }),
      ),
      refresh_materialized_views: Type.Optional(
        Type.Boolean({ description: 'Whether dependent materialized views of the target are refreshed.' }),
      ),
      source_code: Type.Optional(
        oneOf(
          SOURCE_CODE_MODES,
          'What happens to parts of missing tables that call functions of the source.',
        ),
      ),
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
