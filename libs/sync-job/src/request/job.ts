import type { XStatic } from 'typebox/schema';

import type { Declaration } from './declaration.js';
import { INSTANT_EXPECTED, INSTANT_FORM, parseInstant } from './instant.js';
import {
  AGENT_LABEL,
  DEFAULT_KEPT_HOURS,
  MAX_AGENT_LABELS,
  MAX_COLUMNS,
  MAX_IGNORED_TABLES,
  MAX_KEPT_HOURS,
  MAX_LIMIT,
  MAX_NAME_LENGTH,
  MAX_DATABASE_TABLES,
} from './limits.js';
import { isObject, isString } from './object-reader.js';

/** The ways to treat columns without a rule. Agents get the position of a mode, so a new mode is the last one. */
export const UNLISTED_COLUMNS = ['preserve', 'reject', 'null'] as const;
export type UnlistedColumns = (typeof UNLISTED_COLUMNS)[number];

/** The ways to treat tables of the source that are neither listed nor in `ignored_tables`. */
export const UNLISTED_TABLES = ['reject', 'warn', 'ignore'] as const;
export type UnlistedTables = (typeof UNLISTED_TABLES)[number];

/** The ways to treat parts of missing tables that call functions of the source. `omit` does not create them. */
export const SOURCE_CODE_MODES = ['omit'] as const;
export type SourceCodeMode = (typeof SOURCE_CODE_MODES)[number];

/** The ways to treat rows that reference a row which the copy does not have. */
export const ORPHAN_MODES = ['fail', 'skip', 'not_valid'] as const;
export type OrphanMode = (typeof ORPHAN_MODES)[number];

/** The ways to replace a target: the listed tables in it, or the whole database. */
export const REPLACE_MODES = ['tables', 'database'] as const;

/** The ways to treat functions that run with the rights of their owner. */
export const SECURITY_DEFINER_MODES = ['invoker', 'keep'] as const;

/** The ways to treat large objects of the source. */
export const LARGE_OBJECT_MODES = ['fail', 'skip', 'copy'] as const;

/** The databases whose privileges the objects of a new database get. */
export const PRIVILEGE_MODES = ['target', 'source', 'none'] as const;

/** The databases whose owners the objects of a new database get. */
export const OWNER_MODES = ['target', 'source'] as const;

/** The ways to treat publications of the source. */
export const PUBLICATION_MODES = ['none', 'source'] as const;

/** The tablespaces that tables and indexes of a new database get. */
export const TABLESPACE_MODES = ['none', 'source'] as const;

/** The ways to treat the rows of a table whose columns have no rules. `none` creates the table without rows. */
export const TABLE_ROWS = ['preserve', 'none'] as const;

/** A name in quotes can have twice as many bytes as the name, and a pattern can have a signature. */
const MAX_WRITTEN_NAME = 500;
/** Each object of a source is compared with each pattern. */
const MAX_PATTERNS = 1_000;

/** Returns the reading of an array of names or patterns. */
function namesReading(most: number) {
  const isName = (name: unknown) => isString(name) && name !== '' && name.length <= MAX_WRITTEN_NAME;
  return {
    mode: 'database',
    expected: `an array of at most ${most} texts of 1 to ${MAX_WRITTEN_NAME} characters`,
    accepts: (value: unknown) => Array.isArray(value) && value.length <= most && value.every(isName),
  } as const;
}

const DATABASE = {
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: ['postgresql', 'postgres'],
      description: 'Kind of database.',
      reading: { expected: '"postgresql"' },
    },
    connection_string: {
      type: 'string',
      description:
        "A database from the agent's configuration (`agent:<name>`), or a URL `postgresql://user:password@host:5432/database`. A URL is sealed immediately, so that only agents can read it. It is always shown without its password.",
      maxLength: 2_048,
      reading: { expected: 'a string' },
    },
  },
  required: ['type', 'connection_string'],
  additionalProperties: false,
} as const;

const SELECTOR = {
  id: {
    type: 'string',
    pattern: '^agt_[0-9A-Z]{26}$',
    description:
      'Id of the agent. The control plane assigns ids; names and labels are chosen by the person who configures the agent.',
    reading: { expected: 'an agent id' },
  },
  name: {
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$',
    description: 'Name of the agent, as shown by `GET /v1/agents`. Several agents may have the same name.',
    reading: { expected: 'the name of an agent' },
  },
  labels: {
    type: 'array',
    maxItems: MAX_AGENT_LABELS,
    minItems: 1,
    items: { type: 'string', pattern: AGENT_LABEL.source },
    description: 'Labels of the agent (`UNDERSTUDY_AGENT_LABELS`). The agent must have all of them.',
    reading: { item: 'label', each: 'expected labels of agents' },
  },
} as const;

/** The selection of agents in a request for work. */
export const AGENT_SELECTION = {
  type: 'object',
  properties: SELECTOR,
  additionalProperties: false,
  description:
    'Selects the agents that may run the work. An agent must match each given field. By default, any agent that offers the databases may run the work. A connection URL is sealed only to agents that may run the work.',
  minProperties: 1,
  reading: {
    expected: 'an object {id, name, labels} with at least one of them',
    accepts: (value: unknown) =>
      isObject(value) && Object.keys(SELECTOR).some((name) => Object.hasOwn(value, name)),
  },
} as const satisfies Declaration;

/** Describes the columns of a table, in messages. */
export const COLUMN_RULES = 'an object of column rules';

const TABLE = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      description:
        'Name of the table, written as in SQL: `t`, `schema.t` or `"Odd Schema"."T"`. The default schema is `public`.',
      reading: { expected: 'a table name' },
    },
    rows: {
      type: 'string',
      enum: TABLE_ROWS,
      description:
        'The decision about a table whose columns have no rules. `preserve` copies all rows unchanged; `columns` is then the list of all columns. `none` creates the table without rows, and the table is not part of the progress. Requires `replace`: `database`.',
    },
    // libs/column-rule reads the rules.
    columns: {
      oneOf: [
        { type: 'object', additionalProperties: { type: 'object' }, maxProperties: MAX_COLUMNS },
        { type: 'array', items: { type: 'string' }, maxItems: MAX_COLUMNS },
      ],
      description:
        'With `rows`: `preserve`, the list of the columns. Otherwise column name → column rule: `{generator: <model id>}`, `{generator: "template", pattern}`, a generator definition, `{json: {<path>: <rule>}}` for values inside json and jsonb columns, or `{preserve: true}`. Modifiers: `unique`, `nullable`, `transform`, `constraints`, `differs`, `consistent`. `differs: true` needs a rule with at least 20 distinct values, or 1,000 on a column that the policy of the agent protects. `consistent: true` gives equal originals equal new values, which preserves joins but reveals frequencies.',
      reading: {
        expected: COLUMN_RULES,
        accepts: (value: unknown) => (Array.isArray(value) ? value.every(isString) : isObject(value)),
      },
    },
    unlisted_columns: {
      type: 'string',
      enum: UNLISTED_COLUMNS,
      description:
        'What happens to columns of this table without a rule. The default is the value of the job.',
    },
    subset: {
      type: 'object',
      properties: {
        // libs/row-condition reads the condition. Its text never becomes part of an SQL statement.
        where: {
          type: 'string',
          description:
            "A condition on the table's own columns, at most 4,096 bytes. It can use `=`, `<>`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL, AND, OR, NOT, parentheses and literals, but no functions, subqueries or other tables. The agent's policy must allow the condition.",
          maxLength: 4_096,
          examples: ["country = 'CZ' AND created_at >= date '2025-01-01'"],
          reading: { expected: 'an SQL condition' },
        },
        limit: {
          type: 'integer',
          minimum: 0,
          maximum: MAX_LIMIT,
          description: 'Maximum number of rows: the first matching rows, ordered by primary key.',
        },
      },
      additionalProperties: false,
      description:
        'The rows to copy: `where`, `limit` or both. Rows to which these rows refer are copied, too, from any listed table. In a table without a subset, rows that refer to a row that is not copied are omitted.',
      minProperties: 1,
    },
  },
  required: ['name'],
  additionalProperties: false,
  reading: { message: 'expected objects {name, columns}' },
} as const;

/**
 * The options of a job. A command to an agent has each of them under its name in camel case. An option that excludes
 * something from a copy or adds a step to it needs a `capability`, because agents of earlier versions would ignore the
 * option. An option with a `mode` exists only in this mode of `replace`, and needs no number. A number never changes and
 * is never used again; libs/agent-protocol lists those that belong to no option.
 */
export const OPTIONS = {
  unlisted_columns: {
    type: 'string',
    enum: UNLISTED_COLUMNS,
    description:
      'What happens to columns without a rule: `preserve` copies them unchanged, `reject` fails the job before a row is read, and `null` writes NULL.',
    default: 'preserve',
    reading: { mode: 'tables' },
  },
  unlisted_tables: {
    type: 'string',
    enum: UNLISTED_TABLES,
    description:
      'What happens if the source has a table that is neither in `tables` nor in `ignored_tables`. `reject` fails the job before a row is read, `warn` adds a warning with the number of these tables, and `ignore` does nothing. Partitions belong to their parent, and tables of extensions do not count.',
    default: 'ignore',
    // 2026-11-28: Earlier agents would copy a source whose tables the job does not list.
    reading: { capability: 1, mode: 'tables' },
  },
  ignored_tables: {
    type: 'array',
    items: { type: 'string' },
    description:
      'The tables of the source that are left out on purpose, written as the names in `tables`. The job fails if the source has no such table. Requires `unlisted_tables`: `reject` or `warn`.',
    maxItems: MAX_IGNORED_TABLES,
    reading: {
      mode: 'tables',
      expected: `an array of at most ${MAX_IGNORED_TABLES} table names`,
      accepts: (value: unknown) =>
        Array.isArray(value) && value.length <= MAX_IGNORED_TABLES && value.every(isString),
    },
  },
  refresh_materialized_views: {
    type: 'boolean',
    description:
      'Refreshes materialized views of the target that depend on replaced tables, after the tables are replaced. Otherwise a warning has the number of these views.',
    default: false,
    // 2026-11-28: Earlier agents would leave materialized views with their old rows.
    reading: { capability: 2, mode: 'tables' },
  },
  source_code: {
    type: 'string',
    enum: SOURCE_CODE_MODES,
    description:
      'What happens to triggers, rules, policies, constraints, indexes, defaults and statistics of missing tables that call functions of the source. `omit` does not create them, and adds a warning for each kind. A generated column that calls such a function needs a rule. Without this field, the policy of the agent decides whether they are created.',
    // 2026-11-28: Earlier agents would create code of the source on the target.
    reading: { capability: 3, mode: 'tables' },
  },
  orphans: {
    type: 'string',
    enum: ORPHAN_MODES,
    description:
      'What happens to rows that break a foreign key between tables of the job, because the row that they reference is not copied. It applies to keys that are validated on the target, or on the source if the job creates the table. `fail` fails the job with `orphans_found`. `skip` leaves these rows out, and all rows that reference them. `not_valid` copies them, and the key becomes NOT VALID. `skip` and `not_valid` add a warning for each key.',
    default: 'fail',
    // 2026-11-30: Earlier agents would fail the job.
    reading: { capability: 5 },
  },
  replace: {
    type: 'string',
    enum: REPLACE_MODES,
    description:
      'What the job replaces. `tables` replaces the listed tables in the target. `database` builds a complete copy of the source beside the target and then gives it the name of the target. Every table of the source must then be listed with rules for all of its columns, or with `rows`. Source and target must be databases of agents, and the policy of the agent must permit the mode.',
    default: 'tables',
    // 2026-11-30: Earlier agents would replace the listed tables only.
    reading: { capability: 7 },
  },
  drop_target_only: {
    type: 'boolean',
    description:
      'Permits the job to drop objects that only the target has. Otherwise it fails with `target_only_objects`, also in a dry run, and lists these objects.',
    default: false,
    reading: { mode: 'database' },
  },
  security_definer: {
    type: 'string',
    enum: SECURITY_DEFINER_MODES,
    description:
      'What happens to functions that are SECURITY DEFINER. `invoker` makes them SECURITY INVOKER and adds a warning. `keep` needs `allow_security_definer` in the policy of the agent.',
    default: 'invoker',
    reading: { mode: 'database' },
  },
  large_objects: {
    type: 'string',
    enum: LARGE_OBJECT_MODES,
    description:
      'What happens if the source has large objects. `fail` fails the job, and `skip` does not copy them. `copy` copies their content unchanged, and needs `allow_large_objects` in the policy of the agent.',
    default: 'fail',
    reading: { mode: 'database' },
  },
  privileges: {
    type: 'string',
    enum: PRIVILEGE_MODES,
    description:
      'The privileges on the objects of the new database. `target` gives those that the replaced database had on objects of the same name, and its default privileges for other objects. `source` gives those of the source, and `none` only those of the owner.',
    default: 'target',
    reading: { mode: 'database' },
  },
  owners: {
    type: 'string',
    enum: OWNER_MODES,
    description:
      'The owners of the objects of the new database. `target` gives all objects to the owner of the replaced database. `source` gives each object the owner that it has on the source, if the role of the job is a member of that owner. A warning has the number of objects that kept the owner of the database.',
    default: 'target',
    reading: { mode: 'database' },
  },
  publications: {
    type: 'string',
    enum: PUBLICATION_MODES,
    description:
      'The publications of the new database: `none`, or those of the `source`. Only a superuser can create publications of all tables or of schemas.',
    default: 'none',
    reading: { mode: 'database' },
  },
  end_sessions: {
    type: 'boolean',
    description:
      'Ends the sessions that use the replaced database, instead of waiting for them. Needs `allow_end_sessions` in the policy of the agent. Sessions of roles that the role of the job may not end are waited for. A revert of the job does the same.',
    default: false,
    reading: { mode: 'database' },
  },
  tablespaces: {
    type: 'string',
    enum: TABLESPACE_MODES,
    description:
      'The tablespaces of tables and indexes: `none` uses that of the new database, and `source` those of the same names as on the source.',
    default: 'none',
    reading: { mode: 'database' },
  },
  exclude_schemas: {
    type: 'array',
    items: { type: 'string' },
    description:
      'The schemas of the source that the new database does not get, with everything in them. The job fails if an object outside of them depends on them and is not excluded, too.',
    maxItems: MAX_IGNORED_TABLES,
    reading: namesReading(MAX_IGNORED_TABLES),
  },
  exclude_tables: {
    type: 'array',
    items: { type: 'string' },
    description:
      'The tables of the source that the new database does not get, written as the names in `tables`. Their indexes, keys and triggers are left out with them. The job fails if another object depends on them and is not excluded, too.',
    maxItems: MAX_IGNORED_TABLES,
    reading: namesReading(MAX_IGNORED_TABLES),
  },
  skip_objects: {
    type: 'array',
    items: { type: 'string' },
    description:
      'Patterns of objects that the new database does not get, such as those that only a superuser can create: `extension postgis`, `event trigger *`, `function public.digest(*)`. A pattern has the kind and the identity that `pg_identify_object` of PostgreSQL returns, and `*` is any text. What depends on a skipped object is left out, too, with a warning for each. The job fails if this is a table whose rows it copies.',
    maxItems: MAX_PATTERNS,
    reading: namesReading(MAX_PATTERNS),
  },
  keep_replaced_hours: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_KEPT_HOURS,
    description:
      'For how long the replaced database is kept beside the new one, so that a revert can bring it back. With 0, it is dropped. The policy of the agent can lower the value. The next replacement of the target drops it earlier.',
    default: DEFAULT_KEPT_HOURS,
    reading: { mode: 'database' },
  },
  dry_run: {
    type: 'boolean',
    description:
      'Runs all checks on the agent and copies nothing. The job ends as `completed` with a `prediction`. It counts for no quota and sends no webhooks.',
    default: false,
  },
} as const;

const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  description: 'Name of the job.',
  reading: { expected: `a string of 1 to ${MAX_NAME_LENGTH} characters`, accepts: isName },
} as const;

/** The fields that neither name the job nor a database or agent. */
const CONTENT = {
  tables: {
    type: 'array',
    maxItems: MAX_DATABASE_TABLES,
    minItems: 1,
    items: TABLE,
    description:
      'The tables to copy. Each table can be listed once. A job that replaces tables can have 1,000 tables, and a job that replaces a database 20,000 tables with 200,000 columns.',
    reading: { item: 'table' },
  },
  ...OPTIONS,
  seed: {
    type: 'integer',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Random seed. The same job with the same seed and `now` gives the same values. The default is a random seed.',
  },
  now: {
    type: 'string',
    pattern: INSTANT_FORM.source,
    description: 'Reference instant of relative dates (ISO 8601). Default: the start of the current UTC day.',
    reading: { expected: INSTANT_EXPECTED, accepts: (value: unknown) => parseInstant(value) !== undefined },
  },
} as const;

/**
 * The request of a sync job: the body of `POST /v1/sync/jobs`, whose JSON Schema is a part of the API description.
 * `readDeclared` checks a request against it. Parsers of conditions and connection strings check their sizes.
 */
export const SYNC_JOB_REQUEST = {
  type: 'object',
  properties: {
    name: NAME,
    source: { ...DATABASE, description: 'The database to read. Every transaction on it is read-only.' },
    target: {
      ...DATABASE,
      description: 'The database to write. All listed tables are replaced in one transaction.',
    },
    agent: AGENT_SELECTION,
    ...CONTENT,
  },
  required: ['name', 'source', 'target', 'tables'],
  additionalProperties: false,
} as const satisfies Declaration;

/** The request without its databases and its agent, as a job file has it. */
export const SYNC_REQUEST = {
  type: 'object',
  properties: { name: NAME, ...CONTENT },
  required: ['tables'],
} as const satisfies Declaration;

export type SyncJobRequest = XStatic<typeof SYNC_JOB_REQUEST>;
export type SyncRequest = XStatic<typeof SYNC_REQUEST>;
export type RequestedTable = XStatic<typeof TABLE>;
/** The requested rows of a table. At least one of the two fields is set. */
export type TableSubset = Readonly<NonNullable<RequestedTable['subset']>>;
export type RequestedOptions = XStatic<{ type: 'object'; properties: typeof OPTIONS }>;
export type AgentSelection = XStatic<typeof AGENT_SELECTION>;

/** Counts a character outside of the basic plane, and one with a variation selector, once. */
function isName(value: unknown): boolean {
  if (!isString(value) || value === '') return false;
  const [pairs, selected] = [/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, /[^\uFE0F\uFE0E][\uFE0F\uFE0E]/g].map(
    (form) => value.match(form)?.length ?? 0,
  );
  return value.length - (pairs ?? 0) - (selected ?? 0) <= MAX_NAME_LENGTH;
}
