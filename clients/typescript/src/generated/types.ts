// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

/** The bytes of a file for an upload. */
export type FileContent = Blob | Uint8Array;

export interface GenerateRequest {
  /**
   * Generators by name, and the names of those that become the keys of each record, in order. See
   * docs/reference/generators.md for all generators.
   */
  schema: GenerateSchema;
  /** Number of records. */
  count: number;
  /**
   * Random seed. The same request with the same seed and `now` gives the same records. By default, the
   * server chooses a random seed.
   */
  seed?: number | undefined;
  /** Format of the response. By default, the `Accept` header decides. */
  format?: 'json' | 'csv' | 'ndjson' | (string & {}) | undefined;
  /** Time to which relative dates refer (ISO 8601). Default: the start of the current UTC day. */
  now?: string | undefined;
}

/**
 * Generators by name, and the names of those that become the keys of each record, in order. See
 * docs/reference/generators.md for all generators.
 */
export interface GenerateSchema {
  /** Generator definitions by name: `{type, …}`, `{use, params}` or an inline composition. */
  generators: Readonly<Record<string, unknown>>;
  /** Names of generators, in order. */
  output: readonly string[];
}

export interface ListModelsResult {
  models: (ListedModel | PrivateModel)[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface ListedModel {
  /** `<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model. */
  id: string;
  /** Display name as given in the upload. */
  name: string;
  /** Locale of the model: `<lang>_<REGION>`. */
  locale: string;
  /** Whether the model is part of the product or was uploaded. */
  type: 'builtin' | 'custom' | (string & {});
  /** N-gram order; null for a list of values and for a composition. */
  ngram_order: number | null;
  /** When the model was uploaded. A fixed date for a built-in model. */
  created_at: string;
  /** The kind of the model. */
  kind: 'ngram' | 'list' | 'composition' | (string & {});
  /** Token kind; null for a list of values and for a composition. */
  token_type: 'char' | 'word' | (string & {}) | null;
}

export interface PrivateModel {
  /** Id of the model: `private/<name>`. */
  id: string;
  name: string;
  /** HMAC of the model with a key that never leaves the agent. */
  hash: string;
  /** The agent that trained and stores the model. */
  agent_id: string;
  /** When the model was last trained. */
  trained_at: string;
  type: 'private' | (string & {});
  kind: 'ngram' | (string & {});
}

export interface UploadModelRequest {
  /** Model file in the `.ngram` format, at most 32 MiB. It must not contain original values. */
  file: FileContent;
  /** Display name of the model. Without an `id`, the id of the model is `custom/<slug of the name>`. */
  name: string;
  /**
   * The id of the model, with or without the prefix `custom/`. It is required if the name contains no
   * letter or digit.
   */
  id?: string | undefined;
  /** Purpose of the model. */
  description?: string | undefined;
}

export interface UploadedModel {
  /** `<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model. */
  id: string;
  /** Display name as given in the upload. */
  name: string;
  /** Locale of the model: `<lang>_<REGION>`. */
  locale: string;
  /** Whether the model is part of the product or was uploaded. */
  type: 'builtin' | 'custom' | (string & {});
  /** N-gram order. */
  ngram_order: number;
  /** When the model was uploaded. A fixed date for a built-in model. */
  created_at: string;
}

export interface Model {
  /** `<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model. */
  id: string;
  /** Display name as given in the upload. */
  name: string;
  /** Locale of the model: `<lang>_<REGION>`. */
  locale: string;
  /** Whether the model is part of the product or was uploaded. */
  type: 'builtin' | 'custom' | (string & {});
  /** N-gram order; null for a list of values and for a composition. */
  ngram_order: number | null;
  /** When the model was uploaded. A fixed date for a built-in model. */
  created_at: string;
  /** The kind of the model. */
  kind: 'ngram' | 'list' | 'composition' | (string & {});
  /** Token kind; null for a list of values and for a composition. */
  token_type: 'char' | 'word' | (string & {}) | null;
  /** Description as given in the upload. */
  description: string | null;
  /** SPDX expression of the licence of the training data; may be empty. */
  licence: string;
  /** Origin of the training data; may be empty. */
  source: string;
  /** Generation modes that the model supports. An uploaded model does not support `real_word`. */
  modes: string[];
  /**
   * Top-level constraints that the model supports. An uploaded model does not support
   * `exclude_originals`.
   */
  constraints: string[];
  /**
   * The lists of a map of lists. A generator of the type `list` selects one with `key`. Null for any
   * other model.
   */
  keys: string[] | null;
  /** Number of distinct training values. */
  distinct_values: number | null;
  /** Sum of the weights of all training values. */
  total_weight: number | null;
  /**
   * The model contains only patterns that at least this many distinct values share. 1 keeps all
   * patterns.
   */
  min_values: number | null;
  /** Probability that a freely generated word is not one of the training values. */
  novel_mass: number | null;
  /** Number of equally likely values that would have the same variety. */
  effective_values: number | null;
  /** Number of distinct values that `unique` can generate before it is exhausted. */
  distinct_capacity: number | null;
  /** Number of training tokens; null for a list of values and for a composition. */
  token_count: number | null;
  /** Number of distinct n-grams; null for a list of values and for a composition. */
  ngram_count: number | null;
  /** When the model was last changed. */
  updated_at: string;
}

export interface Deleted {
  deleted: true;
  /** Id of the deleted resource. */
  id: string;
}

export interface ListGeneratorsResult {
  generators: ListedGenerator[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface ListedGenerator {
  /** `name@version`. */
  id: string;
  /** `@<namespace>/<package>:<name>`, the value of `use` in definitions. */
  name: string;
  /** Semantic version. */
  version: string;
  description: string;
  /** Kind of the generated values. */
  output: string;
  /** Time of registration. */
  created_at: string;
}

export interface RegisterGeneratorRequest {
  /** `@<namespace>/<package>:<name>`. */
  name: string;
  /** Semantic version. Default: 0.1.0. */
  version?: string | undefined;
  /** Description of the generated values. */
  description?: string | undefined;
  /**
   * Parameters by name, each `{type, required?, default?, description?}`. A required parameter has no
   * default.
   */
  params?: Readonly<Record<string, unknown>> | undefined;
  /** Named steps in any order. Each step is a generator or an expression over other steps. */
  let?: Readonly<Record<string, unknown>> | undefined;
  /** Template of the generated text. Use it instead of `variants` and `output`. */
  body?: string | undefined;
  /** Weighted templates. Each value uses one of them at random. */
  variants?: readonly unknown[] | undefined;
  /** Object whose leaves are templates. Use it instead of `body` and `variants`. */
  output?: unknown | undefined;
}

export interface Generator {
  /** `name@version`. */
  id: string;
  /** `@<namespace>/<package>:<name>`, the value of `use` in definitions. */
  name: string;
  /** Semantic version. */
  version: string;
  description: string;
  /** Kind of the generated values. */
  output: string;
  /** Time of registration. */
  created_at: string;
  /** The definition as it was registered. */
  definition: Record<string, unknown>;
  /** SHA-256 of the definition, which agents verify. */
  hash: string;
  /** All versions of the composition, the highest first. */
  versions: string[];
}

export interface ListMockEndpointsResult {
  endpoints: ListedMockEndpoint[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface ListedMockEndpoint {
  /** Id of the mock endpoint, which cannot be guessed. */
  id: string;
  /** The path as given in the request. */
  path: string;
  /** The method of the endpoint. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | (string & {});
  /** URL of the endpoint: `{mock_url}/<id><path>`. */
  url: string;
  /** Calls since the start of the current UTC day. The number is up to two seconds old. */
  requests_today: number;
  /** When the endpoint was created. */
  created_at: string;
  /** `token`: calls need an API token of the organisation. */
  auth: 'none' | 'token' | (string & {});
  /** Name of the schema, `<id>.schema.json`. `GET` of a single endpoint returns the schema itself. */
  schema: string;
}

export interface CreateMockEndpointRequest {
  /** Path of the endpoint. A segment that starts with a colon is a parameter, which matches any value. */
  path: string;
  /** The method of the endpoint. GET includes HEAD. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | (string & {});
  /** The schema of the records, as in `POST /generate`. Generators can refer to `params`. */
  schema: Readonly<Record<string, unknown>>;
  /** The response of the endpoint. */
  response?: MockResponseRequest | undefined;
  /** `token`: calls need an API token of the organisation. `none`: the URL is enough. */
  auth?: 'none' | 'token' | (string & {}) | undefined;
}

/** The response of the endpoint. */
export interface MockResponseRequest {
  /**
   * Number of records in a response. A caller can request another number with `?count=`, up to 1,000.
   * The limits of `POST /generate` apply, and a response has at most 8 MiB.
   */
  count?: number | undefined;
  /**
   * The body of the response: JSON whose strings are templates. A string that is one whole expression,
   * such as `{{records}}` or `{{count}}`, keeps the type of its value. `params` holds the parameters of
   * the path. By default, the body is the array of records.
   */
  wrapper?: unknown | undefined;
  /** Status of the response. Redirects (300 to 399) are refused. */
  status?: number | undefined;
  /**
   * Additional headers of the response. Headers that control encoding, access or browser behaviour are
   * refused.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Delay of the response in milliseconds: a fixed number, or a range from which each call gets a random
   * delay.
   */
  latency_ms?: number | LatencyRange | undefined;
  /** Share of the calls that fail with status 500, from 0 to 1. */
  fail_rate?: number | undefined;
}

export interface LatencyRange {
  min: number;
  max: number;
}

export interface MockEndpoint {
  /** Id of the mock endpoint, which cannot be guessed. */
  id: string;
  /** The path as given in the request. */
  path: string;
  /** The method of the endpoint. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | (string & {});
  /** URL of the endpoint: `{mock_url}/<id><path>`. */
  url: string;
  /** Calls since the start of the current UTC day. The number is up to two seconds old. */
  requests_today: number;
  /** When the endpoint was created. */
  created_at: string;
  /** `token`: calls need an API token of the organisation. */
  auth: 'none' | 'token' | (string & {});
  /** The schema as given in the request. */
  schema: Record<string, unknown>;
  response: MockResponse;
  /**
   * Settings that have no effect, or possibly another one than their author intended. An earlier version
   * may have accepted more. The creation also returns those of the definition in `meta.warnings`.
   */
  warnings: MockEndpointWarning[];
}

/** The response of the endpoint, with all defaults filled in. */
export interface MockResponse {
  count: number;
  wrapper: unknown;
  status: number;
  headers: Record<string, string>;
  latency_ms: number | LatencyRange;
  fail_rate: number;
}

export interface MockEndpointWarning {
  code: 'header_reserved' | (string & {}) | 'definition_warning' | (string & {});
  /** Path of the setting. */
  field: string;
  message: string;
}

export interface ListSyncJobsResult {
  jobs: ListedSyncJob[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface ListedSyncJob {
  /** Id of the job. */
  id: string;
  name: string;
  /** Status of the job. It stays `running` during retries. */
  status: 'pending' | 'running' | 'completed' | 'failed' | (string & {});
  /** Source database. A URL is shown without its password. */
  source: string;
  /** Target database. A URL is shown without its password. */
  target: string;
  /** Table names as written in the request. Empty with `tables=none`. */
  tables: string[];
  /** Number of tables. */
  table_count: number;
  /** Number of copied rows of all tables. */
  rows_processed: number;
  /** When the request was accepted. */
  created_at: string;
  /** When an agent first started the job; null before. */
  started_at: string | null;
  /** When the job ended, also if it failed; null before. */
  completed_at: string | null;
  /** The agent of the last attempt. */
  agent_id: string | null;
  /** Stable code of the error that the job failed with; null otherwise. */
  error_code: string | null;
  /**
   * When the job was cancelled by a request; null otherwise. An agent without contact receives the
   * request when it is back.
   */
  cancel_requested_at: string | null;
  /** Whether the job only runs checks and copies nothing. */
  dry_run: boolean;
  /** Outcome of a completed dry run; null otherwise. */
  prediction: ListedSyncJobPrediction | null;
  /** Progress of a running job; null for any other job. */
  progress: ListedSyncJobProgress | null;
}

export interface ListedSyncJobPrediction {
  /** Whether no problem was found. */
  ok: boolean;
  /** Number of problems, including those that no list contains. */
  problem_count: number;
}

/** Progress of all tables. The agent reports it at most once a second. */
export interface ListedSyncJobProgress {
  /** The current phase. Null while no agent works on the job. */
  phase: 'preflight' | 'training' | 'copying' | 'indexing' | 'verifying' | 'switching' | (string & {}) | null;
  /** Copied rows of all tables. */
  rows_done: number;
  /** Rows to copy. An estimate until all rows are copied. */
  rows_total: number | null;
  /** Copied bytes, as sent to the target. */
  bytes_done: number;
  /** Bytes to copy. An estimate until all rows are copied. */
  bytes_total: number | null;
  /**
   * Rows per second: of the last seconds while rows are copied, and of the whole copy after completion.
   * Null otherwise.
   */
  rows_per_second: number | null;
  /** Bytes per second, like `rows_per_second`. */
  bytes_per_second: number | null;
  /**
   * Estimated time at which all rows are copied. Indexing and verification follow. Null while it is
   * unknown.
   */
  estimated_end: string | null;
  /**
   * The phases of a job that builds a database, in their order. Null before the first one, unless an
   * agent works on the job, and if its version does not report them.
   */
  build: ListedSyncJobProgressBuildItem[] | null;
}

export interface ListedSyncJobProgressBuildItem {
  /**
   * `objects`: definitions before the rows. `indexes`: tables whose indexes are built, and tables that
   * are analyzed. `keys`: foreign keys, and then other definitions such as triggers. `views`:
   * materialized views, and then row security and event triggers. `swap`: owners, privileges and the
   * names of both databases.
   */
  phase: 'objects' | 'rows' | 'indexes' | 'keys' | 'views' | 'swap' | (string & {});
  /** Status of the phase. */
  status: 'pending' | 'running' | 'completed' | (string & {});
  /** Completed steps of the phase; copied rows of `rows`. */
  done: number;
  /**
   * Number of all steps or rows. Null while it is unknown, and if an earlier attempt has completed the
   * phase.
   */
  total: number | null;
  /** Estimated end of the phase. Null unless the phase is running, and while there is no estimate. */
  estimated_end: string | null;
}

export interface CreateSyncJobRequest {
  /** Name of the job. */
  name: string;
  /** The database to read. Every transaction on it is read-only. */
  source: Database;
  /** The database to write. All listed tables are replaced in one transaction. */
  target: Database;
  /**
   * Selects the agents that may run the work. An agent must match each given field. By default, any
   * agent that offers the databases may run the work. A connection URL is sealed only to agents that may
   * run the work.
   */
  agent?: AgentSelector | undefined;
  /**
   * The tables to copy. Each table can be listed once. A job that replaces tables can have 1,000 tables,
   * and a job that replaces a database 20,000 tables with 200,000 columns.
   */
  tables: readonly TableRequest[];
  /**
   * What happens to columns without a rule: `preserve` copies them unchanged, `reject` fails the job
   * before a row is read, and `null` writes NULL.
   */
  unlisted_columns?: 'preserve' | 'reject' | 'null' | (string & {}) | undefined;
  /**
   * What happens if the source has a table that is neither in `tables` nor in `ignored_tables`. `reject`
   * fails the job before a row is read, `warn` adds a warning with the number of these tables, and
   * `ignore` does nothing. Partitions belong to their parent, and tables of extensions do not count.
   */
  unlisted_tables?: 'reject' | 'warn' | 'ignore' | (string & {}) | undefined;
  /**
   * The tables of the source that are left out on purpose, written as the names in `tables`. The job
   * fails if the source has no such table. Requires `unlisted_tables`: `reject` or `warn`.
   */
  ignored_tables?: readonly string[] | undefined;
  /**
   * Refreshes materialized views of the target that depend on replaced tables, after the tables are
   * replaced. Otherwise a warning has the number of these views.
   */
  refresh_materialized_views?: boolean | undefined;
  /**
   * What happens to triggers, rules, policies, constraints, indexes, defaults and statistics of missing
   * tables that call functions of the source. `omit` does not create them, and adds a warning for each
   * kind. A generated column that calls such a function needs a rule. Without this field, the policy of
   * the agent decides whether they are created.
   */
  source_code?: 'omit' | (string & {}) | undefined;
  /**
   * What happens to rows that break a foreign key between tables of the job, because the row that they
   * reference is not copied. It applies to keys that are validated on the target, or on the source if
   * the job creates the table. `fail` fails the job with `orphans_found`. `skip` leaves these rows out,
   * and all rows that reference them. `not_valid` copies them, and the key becomes NOT VALID. `skip` and
   * `not_valid` add a warning for each key.
   */
  orphans?: 'fail' | 'skip' | 'not_valid' | (string & {}) | undefined;
  /**
   * What the job replaces. `tables` replaces the listed tables in the target. `database` builds a
   * complete copy of the source beside the target and then gives it the name of the target. Every table
   * of the source must then be listed with rules for all of its columns, or with `rows`. Source and
   * target must be databases of agents, and the policy of the agent must permit the mode.
   */
  replace?: 'tables' | 'database' | (string & {}) | undefined;
  /**
   * Permits the job to drop objects that only the target has. Otherwise it fails with
   * `target_only_objects`, also in a dry run, and lists these objects.
   */
  drop_target_only?: boolean | undefined;
  /**
   * What happens to functions that are SECURITY DEFINER. `invoker` makes them SECURITY INVOKER and adds
   * a warning. `keep` needs `allow_security_definer` in the policy of the agent.
   */
  security_definer?: 'invoker' | 'keep' | (string & {}) | undefined;
  /**
   * What happens if the source has large objects. `fail` fails the job, and `skip` does not copy them.
   * `copy` copies their content unchanged, and needs `allow_large_objects` in the policy of the agent.
   */
  large_objects?: 'fail' | 'skip' | 'copy' | (string & {}) | undefined;
  /**
   * The privileges on the objects of the new database. `target` gives those that the replaced database
   * had on objects of the same name, and its default privileges for other objects. `source` gives those
   * of the source, and `none` only those of the owner.
   */
  privileges?: 'target' | 'source' | 'none' | (string & {}) | undefined;
  /**
   * The owners of the objects of the new database. `target` gives all objects to the owner of the
   * replaced database. `source` gives each object the owner that it has on the source, if the role of
   * the job is a member of that owner. A warning has the number of objects that kept the owner of the
   * database.
   */
  owners?: 'target' | 'source' | (string & {}) | undefined;
  /**
   * The publications of the new database: `none`, or those of the `source`. Only a superuser can create
   * publications of all tables or of schemas.
   */
  publications?: 'none' | 'source' | (string & {}) | undefined;
  /**
   * Ends the sessions that use the replaced database, instead of waiting for them. Needs
   * `allow_end_sessions` in the policy of the agent. Sessions of roles that the role of the job may not
   * end are waited for. A revert of the job does the same.
   */
  end_sessions?: boolean | undefined;
  /**
   * The tablespaces of tables and indexes: `none` uses that of the new database, and `source` those of
   * the same names as on the source.
   */
  tablespaces?: 'none' | 'source' | (string & {}) | undefined;
  /**
   * The schemas of the source that the new database does not get, with everything in them. The job fails
   * if an object outside of them depends on them and is not excluded, too.
   */
  exclude_schemas?: readonly string[] | undefined;
  /**
   * The tables of the source that the new database does not get, written as the names in `tables`. Their
   * indexes, keys and triggers are left out with them. The job fails if another object depends on them
   * and is not excluded, too.
   */
  exclude_tables?: readonly string[] | undefined;
  /**
   * Patterns of objects that the new database does not get, such as those that only a superuser can
   * create: `extension postgis`, `event trigger *`, `function public.digest(*)`. A pattern has the kind
   * and the identity that `pg_identify_object` of PostgreSQL returns, and `*` is any text. What depends
   * on a skipped object is left out, too, with a warning for each. The job fails if this is a table
   * whose rows it copies.
   */
  skip_objects?: readonly string[] | undefined;
  /**
   * For how long the replaced database is kept beside the new one, so that a revert can bring it back.
   * With 0, it is dropped. The policy of the agent can lower the value. The next replacement of the
   * target drops it earlier.
   */
  keep_replaced_hours?: number | undefined;
  /**
   * Runs all checks on the agent and copies nothing. The job ends as `completed` with a `prediction`. It
   * counts for no quota and sends no webhooks.
   */
  dry_run?: boolean | undefined;
  /**
   * Random seed. The same job with the same seed and `now` gives the same values. The default is a
   * random seed.
   */
  seed?: number | undefined;
  /** Reference instant of relative dates (ISO 8601). Default: the start of the current UTC day. */
  now?: string | undefined;
}

/** The database to read. Every transaction on it is read-only. */
export interface Database {
  /** Kind of database. */
  type: 'postgresql' | 'postgres' | (string & {});
  /**
   * A database from the agent's configuration (`agent:<name>`), or a URL
   * `postgresql://user:password@host:5432/database`. A URL is sealed immediately, so that only agents
   * can read it. It is always shown without its password.
   */
  connection_string: string;
}

/**
 * Selects the agents that may run the work. An agent must match each given field. By default, any
 * agent that offers the databases may run the work. A connection URL is sealed only to agents that may
 * run the work.
 */
export interface AgentSelector {
  /**
   * Id of the agent. The control plane assigns ids; names and labels are chosen by the person who
   * configures the agent.
   */
  id?: string;
  /** Name of the agent, as shown by `GET /v1/agents`. Several agents may have the same name. */
  name?: string;
  /** Labels of the agent (`UNDERSTUDY_AGENT_LABELS`). The agent must have all of them. */
  labels?: string[];
}

export interface TableRequest {
  /**
   * Name of the table, written as in SQL: `t`, `schema.t` or `"Odd Schema"."T"`. The default schema is
   * `public`.
   */
  name: string;
  /**
   * The decision about a table whose columns have no rules. `preserve` copies all rows unchanged;
   * `columns` is then the list of all columns. `none` creates the table without rows, and the table is
   * not part of the progress. Requires `replace`: `database`.
   */
  rows?: 'preserve' | 'none' | (string & {}) | undefined;
  /**
   * With `rows`: `preserve`, the list of the columns. Otherwise column name → column rule: `{generator:
   * <model id>}`, `{generator: "template", pattern}`, a generator definition, `{json: {<path>: <rule>}}`
   * for values inside json and jsonb columns, or `{preserve: true}`. Modifiers: `unique`, `nullable`,
   * `transform`, `constraints`, `differs`, `consistent`. `differs: true` needs a rule with at least 20
   * distinct values, or 1,000 on a column that the policy of the agent protects. `consistent: true`
   * gives equal originals equal new values, which preserves joins but reveals frequencies.
   */
  columns?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | readonly string[] | undefined;
  /** What happens to columns of this table without a rule. The default is the value of the job. */
  unlisted_columns?: 'preserve' | 'reject' | 'null' | (string & {}) | undefined;
  /**
   * The rows to copy: `where`, `limit` or both. Rows to which these rows refer are copied, too, from any
   * listed table. In a table without a subset, rows that refer to a row that is not copied are omitted.
   */
  subset?: TableSubset | undefined;
}

/**
 * The rows to copy: `where`, `limit` or both. Rows to which these rows refer are copied, too, from any
 * listed table. In a table without a subset, rows that refer to a row that is not copied are omitted.
 */
export interface TableSubset {
  /**
   * A condition on the table's own columns, at most 4,096 bytes. It can use `=`, `<>`, `<`, `<=`, `>`,
   * `>=`, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL, AND, OR, NOT, parentheses and literals, but no
   * functions, subqueries or other tables. The agent's policy must allow the condition.
   */
  where?: string | undefined;
  /** Maximum number of rows: the first matching rows, ordered by primary key. */
  limit?: number | undefined;
}

export interface SyncJob {
  /** Id of the job. */
  id: string;
  name: string;
  /** Status of the job. It stays `running` during retries. */
  status: 'pending' | 'running' | 'completed' | 'failed' | (string & {});
  /** Source database. A URL is shown without its password. */
  source: string;
  /** Target database. A URL is shown without its password. */
  target: string;
  /** Table names as written in the request. Empty with `tables=none`. */
  tables: string[];
  /** Number of tables. */
  table_count: number;
  /** Number of copied rows of all tables. */
  rows_processed: number;
  /** When the request was accepted. */
  created_at: string;
  /** When an agent first started the job; null before. */
  started_at: string | null;
  /** When the job ended, also if it failed; null before. */
  completed_at: string | null;
  /** The agent of the last attempt. */
  agent_id: string | null;
  /** Stable code of the error that the job failed with; null otherwise. */
  error_code: string | null;
  /**
   * When the job was cancelled by a request; null otherwise. An agent without contact receives the
   * request when it is back.
   */
  cancel_requested_at: string | null;
  /** Whether the job only runs checks and copies nothing. */
  dry_run: boolean;
  /** The job that this one repeats. It may have been deleted. */
  run_of: string | null;
  /** Random seed. */
  seed: number;
  /** Reference instant of relative dates. */
  now: string;
  /** What happens to columns without a rule. */
  unlisted_columns: 'preserve' | 'reject' | 'null' | (string & {});
  /** Progress of all tables. The agent reports it at most once a second. */
  progress: SyncJobProgress;
  /** What happens to tables of the source that the request neither lists nor ignores. */
  unlisted_tables: 'reject' | 'warn' | 'ignore' | (string & {});
  /** Whether materialized views of the target that depend on replaced tables are refreshed. */
  refresh_materialized_views: boolean;
  /**
   * What happens to parts of missing tables that call functions of the source; null if the policy of the
   * agent decides.
   */
  source_code: 'omit' | (string & {}) | null;
  /** What happens to rows that break a foreign key between tables of the job. */
  orphans: 'fail' | 'skip' | 'not_valid' | (string & {});
  /** Tables with a subset. All rows of the other tables are requested. */
  subset: SyncJobSubset[];
  /** Number of tables with each status. */
  table_counts: SyncJobTableCounts;
  table_progress: SyncJobTableProgress[];
  /**
   * Durations of the phases of the successful attempt. Empty until the job has completed. Indexes are
   * built while copied rows are verified. This shared time counts as `verifying`, and only the rest of
   * indexing counts as `indexing`.
   */
  phases: SyncJobPhase[];
  /**
   * The checks of the copy before the target changes. Null before these checks, and if the job failed
   * before them.
   */
  verification: SyncJobVerification | null;
  /**
   * The newest attempts, oldest first, including those that lost only their connection. Attempts from
   * before an upgrade to this version are missing.
   */
  attempt_history: SyncJobAttempt[];
  /** Number of attempts. An attempt that lost only its connection does not count. */
  attempts: number;
  /** The selected agents; null if any agent that offers the databases may run the work. */
  agent: AgentReference | null;
  /** The connection to the agent that has the job; null if no agent has it. */
  link: SyncJobLink | null;
  /** Models that the job trained, and uploaded models that it uses. */
  models: SyncJobModel[];
  /** Registered compositions that the job uses, in the versions that it was accepted with. */
  generators: SyncJobGenerator[];
  /** Result of a completed dry run; null otherwise. */
  prediction: SyncJobPrediction | null;
  /** The database that the job has replaced and that is kept. Null if there is none. */
  replaced: SyncJobReplaced | null;
  /**
   * Numbers of objects of the source that the target does not have after the job, or would not have
   * after the job of a dry run. Partitions and objects of extensions do not count. Null if no agent has
   * counted them. Only the log of the agent has their names.
   */
  left_out: SyncJobLeftOut | null;
  /** Why the job failed; null unless it failed. */
  error: SyncJobError | null;
  warnings: SyncJobWarning[];
}

/** Progress of all tables. The agent reports it at most once a second. */
export interface SyncJobProgress {
  /** The current phase. Null while no agent works on the job. */
  phase: 'preflight' | 'training' | 'copying' | 'indexing' | 'verifying' | 'switching' | (string & {}) | null;
  /** Copied rows of all tables. */
  rows_done: number;
  /** Rows to copy. An estimate until all rows are copied. */
  rows_total: number | null;
  /** Copied bytes, as sent to the target. */
  bytes_done: number;
  /** Bytes to copy. An estimate until all rows are copied. */
  bytes_total: number | null;
  /**
   * Rows per second: of the last seconds while rows are copied, and of the whole copy after completion.
   * Null otherwise.
   */
  rows_per_second: number | null;
  /** Bytes per second, like `rows_per_second`. */
  bytes_per_second: number | null;
  /**
   * Estimated time at which all rows are copied. Indexing and verification follow. Null while it is
   * unknown.
   */
  estimated_end: string | null;
  /**
   * The phases of a job that builds a database, in their order. Null before the first one, unless an
   * agent works on the job, and if its version does not report them.
   */
  build: SyncJobProgressBuildItem[] | null;
}

export interface SyncJobProgressBuildItem {
  /**
   * `objects`: definitions before the rows. `indexes`: tables whose indexes are built, and tables that
   * are analyzed. `keys`: foreign keys, and then other definitions such as triggers. `views`:
   * materialized views, and then row security and event triggers. `swap`: owners, privileges and the
   * names of both databases.
   */
  phase: 'objects' | 'rows' | 'indexes' | 'keys' | 'views' | 'swap' | (string & {});
  /** Status of the phase. */
  status: 'pending' | 'running' | 'completed' | (string & {});
  /** Completed steps of the phase; copied rows of `rows`. */
  done: number;
  /**
   * Number of all steps or rows. Null while it is unknown, and if an earlier attempt has completed the
   * phase.
   */
  total: number | null;
  /** Estimated end of the phase. Null unless the phase is running, and while there is no estimate. */
  estimated_end: string | null;
}

export interface SyncJobSubset {
  /** Name of the table as written in the request. */
  name: string;
  /** Length of the `where` in characters; null without a `where`. The condition itself is not shown. */
  where_length: number | null;
  /** The `limit`; null without one. */
  limit: number | null;
}

/** Number of tables with each status. */
export interface SyncJobTableCounts {
  /** Tables with the status `pending`. */
  pending: number;
  /** Tables with the status `copying`. */
  copying: number;
  /** Tables with the status `indexing`. */
  indexing: number;
  /** Tables with the status `verifying`. */
  verifying: number;
  /** Tables with the status `completed`. */
  completed: number;
}

export interface SyncJobTableProgress {
  /** Name of the table as written in the request. */
  name: string;
  /** Status of the table. */
  status: 'pending' | 'copying' | 'indexing' | 'verifying' | 'completed' | (string & {});
  /** Number of copied rows. */
  rows_processed: number;
  /** Rows to copy. An estimate until all rows are copied; null until the agent has inspected the table. */
  rows_total: number | null;
  /** Bytes of the copied rows, as sent to the target. */
  bytes_processed: number;
  /** The size of the source table. After all rows are copied, the value of `bytes_processed`. */
  bytes_total: number | null;
}

export interface SyncJobPhase {
  /** The phase of the job. */
  phase: 'preflight' | 'training' | 'copying' | 'indexing' | 'verifying' | 'switching' | (string & {});
  seconds: number;
}

export interface SyncJobVerification {
  /** Whether all checks succeeded. */
  ok: boolean;
  /** The checks of all tables. An agent omits successful checks beyond 40,000. */
  checks: SyncJobVerificationCheck[];
}

export interface SyncJobVerificationCheck {
  /** What was checked. */
  check:
    | 'row_count'
    | 'preserved_columns'
    | 'nulled_columns'
    | 'masked_columns'
    | 'joins'
    | 'foreign_keys'
    | 'sequences'
    | 'other'
    | (string & {});
  table: string;
  ok: boolean;
  /** The column of a failed check; null otherwise. */
  column: string | null;
  /** Number of checked columns, keys or sequences; null for a count of rows. */
  looked_at: number | null;
  /** Row counts of the check `row_count`; null otherwise. */
  rows: SyncJobRowCounts | null;
}

export interface SyncJobRowCounts {
  /** Rows in the source's snapshot. */
  source: number;
  /** Rows that the committed chunks copied. */
  copied: number;
  /** Rows in the staged table before the switch. */
  target: number;
}

export interface SyncJobAttempt {
  /** Number of the attempt, from 1. */
  number: number;
  /** The agent that got the job. */
  agent_id: string | null;
  /** When the agent got the job. */
  started_at: string;
  /** When the attempt ended; null while the agent has the job. */
  ended_at: string | null;
  /** How the attempt ended; null while the agent has the job. */
  outcome: 'completed' | 'failed' | 'connection_lost' | 'returned' | (string & {}) | null;
  /** Code of the error that ended the attempt. Null without an error, and if the agent restarted. */
  error_code: string | null;
  /** Phases that the agent reported. It reports at most once a second. */
  phases: SyncJobAttemptPhase[];
}

export interface SyncJobAttemptPhase {
  /** The phase of the job. */
  phase: 'preflight' | 'training' | 'copying' | 'indexing' | 'verifying' | 'switching' | (string & {});
  /** When the agent first reported this phase. */
  started_at: string;
  /** When the agent reported the next phase, or the attempt ended; null for the current phase. */
  ended_at: string | null;
}

export interface AgentReference {
  /** Id of the agent. */
  id: string | null;
  /** Name of the agent. */
  name: string | null;
  /** The agent must have all of these labels. */
  labels: string[];
}

export interface SyncJobLink {
  /** When the agent last reported that it works on the job; null before the first report. */
  last_heard_at: string | null;
  /**
   * The grace period: how much longer than usual the agent keeps the job without contact. 0 if another
   * agent could run the job when this agent got it.
   */
  grace_period_seconds: number;
  /** When another agent can get the job if this agent does not report again. */
  held_until: string;
  /**
   * Since when the agent has held a snapshot of the source, which prevents VACUUM from removing old rows
   * there. Null if it holds none.
   */
  snapshot_taken_at: string | null;
}

export interface SyncJobModel {
  /** Id of the model: `private/<name>` or `custom/<name>`. */
  name: string;
  hash: string;
}

export interface SyncJobGenerator {
  /** Id of the composition: `name@version`. */
  name: string;
  hash: string;
}

export interface SyncJobPrediction {
  /** Whether no problem was found. */
  ok: boolean;
  /** Number of problems, including those that no list contains. */
  problem_count: number;
  /** Problems that would fail a run; at most 100. */
  problems: SyncJobPredictionProblem[];
  /** Tables that could be inspected. */
  tables: SyncJobPredictionTable[];
}

export interface SyncJobPredictionProblem {
  /** Stable code, as in `error`. */
  code: string;
  message: string;
  /** Details, as in `error`. */
  details: FieldProblem[];
}

export interface FieldProblem {
  field: string;
  message: string;
}

export interface SyncJobPredictionTable {
  name: string;
  /** Expected rows, rounded to two significant digits; null for fewer than ten. */
  rows_expected: number | null;
}

export interface SyncJobReplaced {
  /** Until when the replaced database is kept, unless the target is replaced again. */
  kept_until: string;
  /** When the target got back the content that it had before the job; null while it has that of the job. */
  reverted_at: string | null;
  /** The newest revert of the job. Null if there is none. */
  last_revert: SyncJobReplacedLastRevert | null;
}

export interface SyncJobReplacedLastRevert {
  /** Id of the revert. */
  revert_id: string;
  /** Status of the revert. */
  status: 'pending' | 'completed' | 'failed' | (string & {});
  /** Why the revert failed; null unless it failed. Both databases are then as they were before. */
  error: SyncJobReplacedLastRevertError | null;
}

export interface SyncJobReplacedLastRevertError {
  /** Stable error code. */
  code: string;
  message: string;
}

export interface SyncJobLeftOut {
  /** Ordinary and partitioned tables. */
  tables: number;
  /** Foreign tables. */
  foreign_tables: number;
  /** Views. */
  views: number;
  /** Materialized views. */
  materialized_views: number;
  /** Functions, procedures and aggregates. */
  functions: number;
  /** Types, without those that belong to a table or to another type. */
  types: number;
  /** Sequences, without those of columns. */
  sequences: number;
  /** Schemas. */
  schemas: number;
  /** Extensions. */
  extensions: number;
}

export interface SyncJobError {
  /** Stable error code. */
  code: string;
  message: string;
  /**
   * Problems that the agent's checks found before it copied a row, each with its path in the request.
   * For a missing privilege, the message contains the SQL that grants it.
   */
  details: FieldProblem[];
}

export interface SyncJobWarning {
  code: string;
  message: string;
  /** Path in the request; only for `constraint_not_applied`. */
  field?: string;
}

export interface DeletedSyncJob {
  /** Id of the job. */
  id: string;
  cancelled: false;
  deleted: true;
}

export interface CancelledSyncJob {
  /** Id of the job. */
  id: string;
  /** Status at the time of the response. */
  status: 'pending' | 'running' | 'completed' | 'failed' | (string & {});
  cancelled: true;
  deleted: false;
}

export interface SyncJobDefinition {
  /** A request for `POST /v1/sync/jobs`, without its withheld parts. */
  definition: DefinedSyncJob;
  /**
   * Paths of the parts that are null in `definition`, such as `source.connection_string`,
   * `tables[3].subset.where` and `tables[0].columns.status`. Empty if the definition is complete.
   */
  withheld: string[];
}

/** A request for `POST /v1/sync/jobs`, without its withheld parts. */
export interface DefinedSyncJob {
  name: string;
  /** The database to read. */
  source: DefinedDatabase;
  /** The database to write. */
  target: DefinedDatabase;
  /** The selected agents; absent if the request selected none. */
  agent?: AgentSelector;
  tables: DefinedTable[];
  /** What happens to columns without a rule. */
  unlisted_columns: 'preserve' | 'reject' | 'null' | (string & {});
  /** What happens to tables of the source that the request does not name. */
  unlisted_tables?: 'reject' | 'warn' | 'ignore' | (string & {});
  /** The tables that are left out on purpose. */
  ignored_tables?: string[];
  /** Whether dependent materialized views of the target are refreshed. */
  refresh_materialized_views?: boolean;
  /** What happens to parts of missing tables that call functions of the source. */
  source_code?: 'omit' | (string & {});
  /** What happens to rows that break a foreign key between tables of the job. */
  orphans?: 'fail' | 'skip' | 'not_valid' | (string & {});
  /** What the job replaces: the listed tables, or the whole database. */
  replace?: 'tables' | 'database' | (string & {});
  /** Whether the job may drop objects that only the target has. */
  drop_target_only?: boolean;
  /** What happens to functions that are SECURITY DEFINER. */
  security_definer?: 'invoker' | 'keep' | (string & {});
  /** What happens to large objects of the source. */
  large_objects?: 'fail' | 'skip' | 'copy' | (string & {});
  /** The privileges on the objects of the new database. */
  privileges?: 'target' | 'source' | 'none' | (string & {});
  /** The owners of the objects of the new database. */
  owners?: 'target' | 'source' | (string & {});
  /** The publications of the new database. */
  publications?: 'none' | 'source' | (string & {});
  /** Whether the job ends the sessions that use the replaced database. */
  end_sessions?: boolean;
  /** The tablespaces of tables and indexes of the new database. */
  tablespaces?: 'none' | 'source' | (string & {});
  /** The schemas of the source that the new database does not get. */
  exclude_schemas?: string[];
  /** The tables of the source that the new database does not get. */
  exclude_tables?: string[];
  /** Patterns of other objects that the new database does not get. */
  skip_objects?: string[];
  /**
   * For how long the replaced database is kept beside the new one, so that a revert can bring it back.
   * With 0, it is dropped. The policy of the agent can lower the value. The next replacement of the
   * target drops it earlier.
   */
  keep_replaced_hours?: number;
  /** Whether the job only runs checks. */
  dry_run: boolean;
  /** Random seed, also if the control plane chose it. */
  seed: number;
  /** Reference instant of relative dates, also if the control plane chose it. */
  now: string;
}

/** The database to read. */
export interface DefinedDatabase {
  type: 'postgresql' | (string & {});
  /** `agent:<name>`; null for a URL, which is withheld. */
  connection_string: string | null;
}

export interface DefinedTable {
  name: string;
  /** Column name → column rule. A withheld rule is null. */
  columns: Record<string, unknown>;
  /** What happens to columns of this table without a rule. */
  unlisted_columns?: 'preserve' | 'reject' | 'null' | (string & {});
  /** `none` if the table is created without rows. Such tables are the last ones. */
  rows?: 'none' | (string & {});
  subset?: DefinedSubset;
}

export interface DefinedSubset {
  /** Null, because conditions are withheld; absent without one. */
  where?: unknown;
  limit?: number;
}

export interface SyncJobTablePage {
  tables: SyncJobTable[];
  /**
   * Number that grows with every change of a table of the job. Pass it as `changed_since` to get the
   * later changes. If you read several pages, use the `revision` of the first one.
   */
  revision: number;
  /** Number of tables that match the filter. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface SyncJobTable {
  /** Index of the table in the request, from 0. */
  position: number;
  /** Name of the table as written in the request. */
  name: string;
  /** Status of the table. */
  status: 'pending' | 'copying' | 'indexing' | 'verifying' | 'completed' | (string & {});
  /** Number of copied rows. */
  rows_processed: number;
  /** Rows to copy. An estimate until all rows are copied; null until the agent has inspected the table. */
  rows_total: number | null;
  /** Bytes of the copied rows, as sent to the target. */
  bytes_processed: number;
  /** The size of the source table. After all rows are copied, the value of `bytes_processed`. */
  bytes_total: number | null;
}

export interface AcceptedRevert {
  /** Id of the sync job. */
  id: string;
  /** Id of the revert. */
  revert_id: string;
  /** Status of the revert. */
  status: 'pending' | 'completed' | 'failed' | (string & {});
}

export interface Revert {
  /** Id of the sync job. */
  id: string;
  /** Id of the revert. */
  revert_id: string;
  /** Status of the revert. */
  status: 'pending' | 'completed' | 'failed' | (string & {});
  /** When the request was accepted. */
  created_at: string;
  /** When the revert ended; null while it is pending. */
  ended_at: string | null;
  /** Why the revert failed; null unless it failed. Both databases are then as they were before. */
  error: RevertError | null;
}

export interface RevertError {
  /** Stable error code. */
  code: string;
  message: string;
}

export interface StoredData {
  /** Everything that is stored about the job. */
  facts: StoredFact[];
  /** Every message that an agent can send about a job. */
  messages: StoredDataMessage[];
  /** The values of each field of the kind `choice`. */
  enums: StoredDataEnum[];
}

export interface StoredFact {
  /** Path of the fact in the job. Facts that a job does not show have a path of their own. */
  path: string;
  /** The source of the fact: your request, an agent, or the control plane. */
  origin: 'request' | 'agent' | 'control_plane' | (string & {});
  /** Meaning of the fact. */
  description: string;
  /** Number of stored values. Null if the values are not shown. */
  value_count: number | null;
  /**
   * The first 20 distinct values as text, each of at most 500 characters. Null if the values are not
   * shown, because they can contain what you wrote in the request.
   */
  values: string[] | null;
}

export interface StoredDataMessage {
  /** Name of the message. */
  name: string;
  /** Comment of the schema. Empty if it has none. */
  description: string;
  fields: WireField[];
}

export interface WireField {
  /** Name of the field. */
  name: string;
  /** Type of the field: a scalar type of protobuf, a message or an enum. */
  type: string;
  /** Kind of the values. Only `text` can hold text. */
  kind: 'number' | 'hash' | 'flag' | 'choice' | 'text' | 'time' | 'message' | (string & {});
  /** Whether the field is a list. */
  repeated: boolean;
  /** Comment of the schema. Empty if it has none. */
  description: string;
  /** Reason why the field can contain nothing from a row. Null for fields whose type needs no review. */
  reviewed: string | null;
  /** Paths of the facts that contain the field. Empty for nested messages and for what is not stored. */
  stored_in: string[];
}

export interface StoredDataEnum {
  /** Name of the enum. */
  name: string;
  values: StoredDataEnumValue[];
}

export interface StoredDataEnumValue {
  /** Name of the value. */
  name: string;
  /** Comment of the schema. Empty if it has none. */
  description: string;
}

export interface ListSnapshotsResult {
  snapshots: ListedSnapshot[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface ListedSnapshot {
  /** Id of the snapshot. */
  id: string;
  name: string;
  /** Name of the database, never a URL. */
  database: string;
  /**
   * Only a `ready` snapshot can be restored. A snapshot is `deleting` until an agent has erased it, and
   * is not found afterwards.
   */
  status: 'creating' | 'ready' | 'failed' | 'expired' | 'deleting' | (string & {});
  /** Stored size, after compression and encryption. 0 until the snapshot is ready. */
  size_bytes: number;
  /**
   * The requested tables as written in the request. For a snapshot of all tables, the tables that it
   * contains, after it is ready. The agent's policy can hide these names.
   */
  tables: string[];
  /** When the request was accepted. */
  created_at: string;
  /** When the snapshot expires and is erased. */
  expires_at: string;
}

export interface CreateSnapshotRequest {
  /** Name of the snapshot. */
  name: string;
  /**
   * A database from the agent's policy file, or a connection URL. A URL is sealed immediately, so that
   * only agents can read it.
   */
  database: string;
  /**
   * The tables to include, written as in SQL: `t`, `schema.t` or `"Odd Schema"."T"`. The default schema
   * is `public`. Partitions are included with their parent. Without this field or with an empty array,
   * the snapshot contains all tables.
   */
  tables?: readonly string[] | undefined;
  /**
   * Selects the agents that may run the work. An agent must match each given field. By default, any
   * agent that offers the databases may run the work. A connection URL is sealed only to agents that may
   * run the work.
   */
  agent?: AgentSelector | undefined;
  /** Days until the snapshot expires and is erased. */
  expires_in_days?: number | undefined;
}

export interface Snapshot {
  /** Id of the snapshot. */
  id: string;
  name: string;
  /** Name of the database, never a URL. */
  database: string;
  /**
   * Only a `ready` snapshot can be restored. A snapshot is `deleting` until an agent has erased it, and
   * is not found afterwards.
   */
  status: 'creating' | 'ready' | 'failed' | 'expired' | 'deleting' | (string & {});
  /** Stored size, after compression and encryption. 0 until the snapshot is ready. */
  size_bytes: number;
  /**
   * The requested tables as written in the request. For a snapshot of all tables, the tables that it
   * contains, after it is ready. The agent's policy can hide these names.
   */
  tables: string[];
  /** When the request was accepted. */
  created_at: string;
  /** When the snapshot expires and is erased. */
  expires_at: string;
  /** When an agent first started the work; null before. */
  started_at: string | null;
  /** When the work ended, also if it failed; null before. */
  completed_at: string | null;
  /** Number of attempts. */
  attempts: number;
  /** The selected agents; null if any agent that offers the databases may run the work. */
  agent: AgentReference | null;
  /** The agent of the last attempt. */
  agent_id: string | null;
  /** Why the work failed; null unless it failed. */
  error: Failure | null;
  /** Number of tables in the snapshot; null until it is ready. */
  table_count: number | null;
  /**
   * `server_version_num` of the source database's server. The snapshot cannot be restored into an older
   * server.
   */
  server_version: number | null;
  /** Progress of the current attempt, or of the last one. */
  progress: SnapshotProgress;
  warnings: SnapshotWarning[];
}

export interface Failure {
  /** Stable error code. */
  code: string;
  message: string;
}

/** Progress of the current attempt, or of the last one. */
export interface SnapshotProgress {
  /** The current phase. Null while no agent works on it. */
  phase: 'preflight' | 'dumping' | 'finishing' | (string & {}) | null;
  /** Tables that are finished. */
  tables_done: number;
  /** All tables. Null until the agent has counted them. */
  tables_total: number | null;
  /** Bytes of rows that are finished, before compression. */
  bytes_done: number;
  /** All bytes of rows, before compression. An estimate until the work is finished. */
  bytes_total: number | null;
}

export interface SnapshotWarning {
  code: string;
  message: string;
}

export interface RestoreSnapshotRequest {
  /**
   * The target database: a restore target from the agent's policy file, or a connection URL. A missing
   * database is created.
   */
  target_database: string;
  /**
   * Whether a target that contains tables is replaced. The snapshot is loaded into a new database, which
   * replaces the target at the end. A restore that fails does not change the target.
   */
  overwrite?: boolean | undefined;
  /**
   * Selects the agents that may run the work. An agent must match each given field. By default, any
   * agent that offers the databases may run the work. A connection URL is sealed only to agents that may
   * run the work.
   */
  agent?: AgentSelector | undefined;
}

export interface AcceptedRestore {
  /** Id of the snapshot. */
  id: string;
  /** Id of the restore. */
  restore_id: string;
  /** Name of the target database, never a URL. */
  target_database: string;
  /** Status of the restore. It stays `running` during retries. */
  status: 'pending' | 'running' | 'completed' | 'failed' | (string & {});
}

export interface ListSnapshotRestoresResult {
  restores: Restore[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface Restore {
  /** Id of the snapshot. */
  id: string;
  /** Id of the restore. */
  restore_id: string;
  /** Name of the target database, never a URL. */
  target_database: string;
  /** Status of the restore. It stays `running` during retries. */
  status: 'pending' | 'running' | 'completed' | 'failed' | (string & {});
  /** When an agent first started the work; null before. */
  started_at: string | null;
  /** When the work ended, also if it failed; null before. */
  completed_at: string | null;
  /** Number of attempts. */
  attempts: number;
  /** The selected agents; null if any agent that offers the databases may run the work. */
  agent: AgentReference | null;
  /** The agent of the last attempt. */
  agent_id: string | null;
  /** Why the work failed; null unless it failed. */
  error: Failure | null;
  overwrite: boolean;
  /** Progress of the current attempt, or of the last one. */
  progress: SnapshotProgress;
  /** When the request was accepted. */
  created_at: string;
}

export interface Caller {
  /** The lower one of the token's role and the role of the member who owns it. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
  /** The scopes to which the token is restricted. Null: everything that the role may do. */
  scopes:
    | (
        | 'generate'
        | 'models:read'
        | 'models:write'
        | 'generators:read'
        | 'generators:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'snapshots:read'
        | 'snapshots:write'
        | 'agents:read'
        | 'agents:write'
        | 'org:read'
        | 'org:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'tokens:read'
        | 'tokens:write'
        | 'audit:read'
        | (string & {})
      )[]
    | null;
  /** The organisation of the token. */
  organization: CallerOrganization;
  /** The member who owns the token; null for a token of the organisation. */
  member: CallerMember | null;
  /** The token of the request; null for a session of the dashboard. */
  token: CallerToken | null;
}

/** The organisation of the token. */
export interface CallerOrganization {
  /** Id of the organisation. */
  id: string;
  name: string;
  /** The plan, which sets limits and quotas. */
  plan: 'free' | 'starter' | 'team' | 'business' | (string & {});
}

export interface CallerMember {
  /** Id of the member. */
  id: string;
  email: string;
}

export interface CallerToken {
  /** Id of the token. */
  id: string;
  name: string;
  /** When the token expires. */
  expires_at: string;
}

export interface Organization {
  /** Id of the organisation. */
  id: string;
  name: string;
  /** The plan, which sets limits and quotas. */
  plan: 'free' | 'starter' | 'team' | 'business' | (string & {});
  /** Number of members, including invited ones. */
  members: number;
  usage: OrganizationUsage;
  /** When the month ends and its counts restart. */
  billing_cycle_end: string;
  /** Problems that a member of the organisation should check. */
  warnings: OrganizationWarning[];
}

export interface OrganizationUsage {
  /** Jobs that were created this month. Failed jobs count; dry runs do not. */
  sync_jobs: UsageCount;
  /** Current number of mock endpoints. */
  endpoints: UsageCount;
  /** Current number of snapshots. */
  snapshots: UsageCount;
  /** Calls of this month, without `POST /generate`. The number is at most 10 seconds old. */
  api_calls: UsageCount;
}

/** Jobs that were created this month. Failed jobs count; dry runs do not. */
export interface UsageCount {
  /** Usage of this month, or the current number. */
  used: number;
  /** Limit of the plan. */
  limit: number;
}

export interface OrganizationWarning {
  /** Stable code of the warning. */
  code: 'webhook_disabled' | (string & {});
  message: string;
  /** The webhook that the warning is about. */
  webhook_id: string;
}

export interface ChangeOrganizationRequest {
  /** The plan, which sets limits and quotas from the next request. */
  plan: 'free' | 'starter' | 'team' | 'business' | (string & {});
}

export interface DailyUsage {
  /** First day of the range. */
  first_day: string;
  /** Last day of the range. */
  last_day: string;
  /** Every day of the range, oldest first. */
  days: DailyUsageDay[];
}

export interface DailyUsageDay {
  /** A day in UTC. */
  day: string;
  /** Calls that count for the plan. The number is at most 10 seconds old. */
  api_calls: number;
  /** Jobs that were created. Failed and deleted jobs count; dry runs do not. */
  sync_jobs: number;
  /** Calls of mock endpoints. The number is up to two seconds old. */
  mock_calls: number;
}

export interface ListMembersResult {
  members: Member[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface Member {
  /** Id of the member. */
  id: string;
  /** The address as written in the invitation. */
  email: string;
  /** Null until the member sets a name. */
  name: string | null;
  /** Role of the member. Each role includes the ones before it. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
  /** Every token of the member is restricted to these scopes. Null: everything that the role may do. */
  scopes:
    | (
        | 'generate'
        | 'models:read'
        | 'models:write'
        | 'generators:read'
        | 'generators:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'snapshots:read'
        | 'snapshots:write'
        | 'agents:read'
        | 'agents:write'
        | 'org:read'
        | 'org:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'tokens:read'
        | 'tokens:write'
        | 'audit:read'
        | (string & {})
      )[]
    | null;
  /** `active` after the member has accepted the invitation. */
  status: 'invited' | 'active' | (string & {});
  /** When the member was invited. */
  invited_at: string;
  /** When the member accepted the invitation; null before. */
  joined_at: string | null;
}

export interface InviteMemberRequest {
  /**
   * E-mail address. Addresses that differ only in the case of ASCII letters, in compatibility forms of
   * characters or in invisible characters belong to the same member.
   */
  email: string;
  /** The member's role, which cannot be above the caller's own role. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
}

export interface InvitedMember {
  /** Id of the member. */
  id: string;
  /** The address as written in the invitation. */
  email: string;
  /** Null until the member sets a name. */
  name: string | null;
  /** Role of the member. Each role includes the ones before it. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
  /** Every token of the member is restricted to these scopes. Null: everything that the role may do. */
  scopes:
    | (
        | 'generate'
        | 'models:read'
        | 'models:write'
        | 'generators:read'
        | 'generators:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'snapshots:read'
        | 'snapshots:write'
        | 'agents:read'
        | 'agents:write'
        | 'org:read'
        | 'org:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'tokens:read'
        | 'tokens:write'
        | 'audit:read'
        | (string & {})
      )[]
    | null;
  /** `active` after the member has accepted the invitation. */
  status: 'invited' | 'active' | (string & {});
  /** When the member was invited. */
  invited_at: string;
  /** When the member accepted the invitation; null before. */
  joined_at: string | null;
  /** The token for the invited person. Only this response shows it. */
  invitation_token?: string;
  /** When the invitation expires. */
  invitation_expires_at: string;
}

export interface AcceptInvitationRequest {
  /** The invitation token, which works once. */
  token: string;
  /** The member's name. */
  name?: string | undefined;
}

export interface JoinedMember {
  /** Id of the member. */
  id: string;
  /** The address as written in the invitation. */
  email: string;
  /** Null until the member sets a name. */
  name: string | null;
  /** Role of the member. Each role includes the ones before it. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
  /** Every token of the member is restricted to these scopes. Null: everything that the role may do. */
  scopes:
    | (
        | 'generate'
        | 'models:read'
        | 'models:write'
        | 'generators:read'
        | 'generators:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'snapshots:read'
        | 'snapshots:write'
        | 'agents:read'
        | 'agents:write'
        | 'org:read'
        | 'org:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'tokens:read'
        | 'tokens:write'
        | 'audit:read'
        | (string & {})
      )[]
    | null;
  /** `active` after the member has accepted the invitation. */
  status: 'invited' | 'active' | (string & {});
  /** When the member was invited. */
  invited_at: string;
  /** When the member accepted the invitation; null before. */
  joined_at: string | null;
  /** The organisation that the member joined. */
  organization_id: string;
  /** Id of the first API token. */
  api_token_id: string;
  /** The member's first API token. Only this response shows it. */
  api_token: string;
  /** When the token expires. */
  api_token_expires_at: string;
}

export interface ChangeMemberRequest {
  /** The member's role, which cannot be above the caller's own role. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
}

export interface ListTokensResult {
  tokens: Token[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface Token {
  /** Id of the token. It is not secret. */
  id: string;
  name: string;
  /** The role of the token, which cannot be above the role of its member. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
  /** Scopes to which the token is restricted. Null: everything that the role may do. */
  scopes:
    | (
        | 'generate'
        | 'models:read'
        | 'models:write'
        | 'generators:read'
        | 'generators:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'snapshots:read'
        | 'snapshots:write'
        | 'agents:read'
        | 'agents:write'
        | 'org:read'
        | 'org:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'tokens:read'
        | 'tokens:write'
        | 'audit:read'
        | (string & {})
      )[]
    | null;
  /** The first characters of the token. */
  hint: string;
  /** The member who owns the token; null for a token of the organisation. */
  member_id: string | null;
  /**
   * True if another member rotated the token, which invalidated it. It works again after the member who
   * owns it has rotated it.
   */
  needs_rotation: boolean;
  /** When the token was created. */
  created_at: string;
  /** When the token expires. */
  expires_at: string;
  /** When the token was last used, exact to the minute. Null if it was never used. */
  last_used_at: string | null;
}

export interface CreateTokenRequest {
  /**
   * Name of the token. It must differ from the names of the other active tokens in more than the case of
   * ASCII letters, compatibility forms, spaces and invisible characters.
   */
  name: string;
  /** The role of the token, which cannot be above the caller's own role. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
  /**
   * Restricts the token to these scopes. Without them, the token may do everything that its role may do.
   * `…:write` includes `…:read`.
   */
  scopes?:
    | readonly (
        | 'generate'
        | 'models:read'
        | 'models:write'
        | 'generators:read'
        | 'generators:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'snapshots:read'
        | 'snapshots:write'
        | 'agents:read'
        | 'agents:write'
        | 'org:read'
        | 'org:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'tokens:read'
        | 'tokens:write'
        | 'audit:read'
        | (string & {})
      )[]
    | undefined;
  /** Days until the token expires. */
  expires_in_days?: number | undefined;
}

export interface NewToken {
  /** Id of the token. It is not secret. */
  id: string;
  name: string;
  /** The role of the token, which cannot be above the role of its member. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
  /** Scopes to which the token is restricted. Null: everything that the role may do. */
  scopes:
    | (
        | 'generate'
        | 'models:read'
        | 'models:write'
        | 'generators:read'
        | 'generators:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'snapshots:read'
        | 'snapshots:write'
        | 'agents:read'
        | 'agents:write'
        | 'org:read'
        | 'org:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'tokens:read'
        | 'tokens:write'
        | 'audit:read'
        | (string & {})
      )[]
    | null;
  /** The first characters of the token. */
  hint: string;
  /** The member who owns the token; null for a token of the organisation. */
  member_id: string | null;
  /**
   * True if another member rotated the token, which invalidated it. It works again after the member who
   * owns it has rotated it.
   */
  needs_rotation: boolean;
  /** When the token was created. */
  created_at: string;
  /** When the token expires. */
  expires_at: string;
  /** When the token was last used, exact to the minute. Null if it was never used. */
  last_used_at: string | null;
  /** The API token. Only this response shows it. */
  token?: string;
}

export interface RotateTokenRequest {
  /** Days until the token expires. */
  expires_in_days?: number | undefined;
}

export interface RotatedToken {
  /** Id of the token. It is not secret. */
  id: string;
  name: string;
  /** The role of the token, which cannot be above the role of its member. */
  role: 'viewer' | 'member' | 'admin' | 'owner' | (string & {});
  /** Scopes to which the token is restricted. Null: everything that the role may do. */
  scopes:
    | (
        | 'generate'
        | 'models:read'
        | 'models:write'
        | 'generators:read'
        | 'generators:write'
        | 'endpoints:read'
        | 'endpoints:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'snapshots:read'
        | 'snapshots:write'
        | 'agents:read'
        | 'agents:write'
        | 'org:read'
        | 'org:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'tokens:read'
        | 'tokens:write'
        | 'audit:read'
        | (string & {})
      )[]
    | null;
  /** The first characters of the token. */
  hint: string;
  /** The member who owns the token; null for a token of the organisation. */
  member_id: string | null;
  /**
   * True if another member rotated the token, which invalidated it. It works again after the member who
   * owns it has rotated it.
   */
  needs_rotation: boolean;
  /** When the token was created. */
  created_at: string;
  /** When the token expires. */
  expires_at: string;
  /** When the token was last used, exact to the minute. Null if it was never used. */
  last_used_at: string | null;
  /** The API token. Only this response shows it. It is missing if the token belongs to another member. */
  token?: string;
}

export interface ListAgentsResult {
  agents: Agent[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface Agent {
  /** Id of the agent. */
  id: string;
  name: string;
  /** `live`: the agent sent a heartbeat within the last 15 seconds. */
  status: 'live' | 'away' | 'revoked' | (string & {});
  /** Time of the last heartbeat; null if there was none. */
  last_seen_at: string | null;
  /** Version of the program; null before the first heartbeat. */
  version: string | null;
  /** Labels by which jobs can select the agent, in addition to id and name. */
  labels: string[];
  /** Databases in the agent's policy. Jobs refer to them as `agent:<name>`. */
  databases: string[];
  /**
   * Keyed hash of the masking key, which does not reveal the key. Agents with the same fingerprint mask
   * the same way. Null before the first heartbeat.
   */
  masking_key_fingerprint: string | null;
  /**
   * Number of jobs, snapshots and restores that the agent runs concurrently. Null for agents that do not
   * report it.
   */
  slots: number | null;
  /** Number of slots that were free at the last heartbeat. 0 if the disk of the agent is almost full. */
  free_slots: number;
  /** Work that the agent holds, the oldest first. At most 64 entries. */
  running: RunningWork[];
  /**
   * Kind of storage for snapshots. Null before the first heartbeat, and for agents that do not report
   * it.
   */
  snapshot_store: 'none' | 'folder' | 'bucket' | (string & {}) | null;
  /**
   * Summary of the agent's policy file. It contains no pattern, URL or name. Null for agents that do not
   * report it.
   */
  policy: AgentPolicy | null;
  /** Time of the enrolment. */
  enrolled_at: string;
  /** Time at which the current process of the agent started; null before the first start. */
  last_started_at: string | null;
  /**
   * Time at which the control plane last refused a process of this agent because a newer process uses
   * its identity; null if that never happened. It means that the state folder was used twice, for
   * example on a copied machine.
   */
  last_conflict_at: string | null;
}

export interface RunningWork {
  /** Kind of the work. */
  type: 'sync_job' | 'snapshot' | 'restore' | (string & {});
  /** Id of the sync job, the snapshot or the restore. */
  id: string;
  /** Time at which the agent got the work. */
  leased_at: string;
  /** Time until which no other agent gets the work. Each heartbeat extends it. */
  held_until: string;
}

export interface AgentPolicy {
  databases: AgentPolicyEntries;
  urls: AgentPolicyEntries;
  /**
   * Minimum encryption of connections to other machines. Null if this version of the control plane does
   * not know the value.
   */
  min_sslmode: 'require' | 'verify_ca' | 'verify_full' | (string & {}) | null;
  /** Whether a connection string may turn encryption off. */
  allow_plaintext: boolean;
  /** Number of patterns for columns that no job may preserve. */
  never_preserve_count: number;
  /** Whether no job may preserve a column that can hold text, except columns of `may_preserve`. */
  protect_text: boolean;
  /** Number of patterns for text columns that jobs may preserve. */
  may_preserve_count: number;
  /** Whether each table of a job must have `unlisted_columns: "reject"`. */
  reject_unlisted: boolean;
  /** Whether a job may select rows with `where`. */
  allow_where: boolean;
  /** Whether a job may train private models. */
  allow_training: boolean;
  /** Smallest `min_values` of a rule that trains a model. */
  min_values_floor: number;
  /** Age in hours below which the agent does not delete a snapshot. */
  snapshot_min_age_hours: number;
  /** Time in hours for which a restore with `overwrite` keeps the replaced database. */
  keep_replaced_hours: number;
  /** Whether reports of the agent may contain names from the catalogs of databases. */
  report_names: boolean;
  /**
   * Whether a target may evaluate rows with functions of schemas in which other roles may create
   * objects.
   */
  allow_shared_schemas: boolean;
  /** Null for an agent of an earlier version, which always creates them. */
  allow_source_code: boolean | null;
  /** Null for an agent of an earlier version, which does not check the role. */
  allow_superuser_target: boolean | null;
  /** Whether functions may stay SECURITY DEFINER if a job replaces a database. */
  allow_security_definer: boolean;
  /** Whether a job that replaces a database may copy large objects. */
  allow_large_objects: boolean;
  /** Whether a job that replaces a database may create foreign servers and tables. */
  allow_foreign_servers: boolean;
  /** Whether a job may end the sessions in a database that it replaces. */
  allow_end_sessions: boolean;
  /** Null without a limit. */
  max_database_bytes: number | null;
}

/** Number of entries in the lists `databases` or `urls` of an agent's policy. */
export interface AgentPolicyEntries {
  /** Number of entries. */
  total: number;
  /** Number of entries that jobs may copy from. */
  source: number;
  /** Number of entries that jobs may copy to. */
  target: number;
  /** Number of entries that snapshots may be created from. */
  snapshot: number;
  /** Number of entries that snapshots may be restored into. */
  restore: number;
  /** Number of entries that jobs may replace as a whole. */
  replace: number;
}

export interface RevokedAgent {
  /** Id of the agent. */
  id: string;
  name: string;
  /** `live`: the agent sent a heartbeat within the last 15 seconds. */
  status: 'live' | 'away' | 'revoked' | (string & {});
  /** Time of the last heartbeat; null if there was none. */
  last_seen_at: string | null;
  /** Version of the program; null before the first heartbeat. */
  version: string | null;
  /** Labels by which jobs can select the agent, in addition to id and name. */
  labels: string[];
  /** Databases in the agent's policy. Jobs refer to them as `agent:<name>`. */
  databases: string[];
  /**
   * Keyed hash of the masking key, which does not reveal the key. Agents with the same fingerprint mask
   * the same way. Null before the first heartbeat.
   */
  masking_key_fingerprint: string | null;
  /**
   * Number of jobs, snapshots and restores that the agent runs concurrently. Null for agents that do not
   * report it.
   */
  slots: number | null;
  /** Number of slots that were free at the last heartbeat. 0 if the disk of the agent is almost full. */
  free_slots: number;
  /** Work that the agent holds, the oldest first. At most 64 entries. */
  running: RunningWork[];
  /**
   * Kind of storage for snapshots. Null before the first heartbeat, and for agents that do not report
   * it.
   */
  snapshot_store: 'none' | 'folder' | 'bucket' | (string & {}) | null;
  /**
   * Summary of the agent's policy file. It contains no pattern, URL or name. Null for agents that do not
   * report it.
   */
  policy: AgentPolicy | null;
  /** Time of the enrolment. */
  enrolled_at: string;
  /** Time at which the current process of the agent started; null before the first start. */
  last_started_at: string | null;
  /**
   * Time at which the control plane last refused a process of this agent because a newer process uses
   * its identity; null if that never happened. It means that the state folder was used twice, for
   * example on a copied machine.
   */
  last_conflict_at: string | null;
  deleted: true;
}

export interface ListEnrolmentTokensResult {
  enrolment_tokens: EnrolmentToken[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface EnrolmentToken {
  /** Id of the token. It is not a secret. */
  id: string;
  /** Only an `unused` token can enrol an agent. */
  status: 'unused' | 'used' | 'expired' | (string & {});
  /** Time of creation. */
  created_at: string;
  /** Time at which the token expires. */
  expires_at: string;
  /** Time at which the token was used; null while unused. */
  used_at: string | null;
  /** Id of the agent that the token enrolled; null while unused. */
  agent_id: string | null;
}

export interface NewEnrolmentToken {
  /** Id of the token. It is not a secret. */
  id: string;
  /** Only an `unused` token can enrol an agent. */
  status: 'unused' | 'used' | 'expired' | (string & {});
  /** Time of creation. */
  created_at: string;
  /** Time at which the token expires. */
  expires_at: string;
  /** Time at which the token was used; null while unused. */
  used_at: string | null;
  /** Id of the agent that the token enrolled; null while unused. */
  agent_id: string | null;
  /** The enrolment token. It is shown only in this response. */
  token?: string;
  install: InstallLines;
}

/**
 * Shell commands that install the agent from the files of the release, in their order. Stop at the
 * first that fails. They contain no token.
 */
export interface InstallLines {
  /**
   * For npm and systemd. The folder contains `policy.yaml`. The second command asks for the enrolment
   * token.
   */
  npm: string[];
  /**
   * For Docker, or Podman with the name `docker`. The folder contains `policy.yaml`. The second command
   * reads the enrolment token from standard input.
   */
  container: string[];
  /**
   * For Helm. The folder contains `values.yaml`. The first command reads the enrolment token from
   * standard input.
   */
  helm: string[];
}

export interface ListAgentModelsResult {
  models: AgentModel[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface AgentModel {
  /** Id of the model: `private/<name>`. */
  id: string;
  name: string;
  /** HMAC of the model with a key that never leaves the agent. */
  hash: string;
  /** The agent that trained and stores the model. */
  agent_id: string;
  /** When the model was last trained. */
  trained_at: string;
}

export interface ListWebhooksResult {
  webhooks: Webhook[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface Webhook {
  /** Id of the webhook. */
  id: string;
  /** The URL to which requests are sent. */
  url: string;
  events: (
    | 'sync.started'
    | 'sync.completed'
    | 'sync.failed'
    | 'sync.reverted'
    | 'sync.revert_failed'
    | 'snapshot.created'
    | 'snapshot.failed'
    | 'snapshot.restored'
    | 'restore.failed'
    | 'agent.away'
    | 'agent.back'
    | (string & {})
  )[];
  /**
   * The form of the bodies. `standard`: the event as JSON. `slack`: a message for an incoming webhook of
   * Slack. `teams`: a message with an Adaptive Card for a workflow of Microsoft Teams.
   */
  format: 'standard' | 'slack' | 'teams' | (string & {});
  /** A disabled webhook receives no requests. */
  status: 'enabled' | 'disabled' | (string & {});
  /** Why the webhook is disabled; null while it is enabled. */
  disabled_reason: 'failing' | 'gone' | 'manual' | (string & {}) | null;
  /** When the webhook was disabled; null while it is enabled. */
  disabled_at: string | null;
  /** Time from which on every attempt has failed; null after a success. */
  failing_since: string | null;
  /** Time at which the previous secret stops signing requests; null without a previous secret. */
  previous_secret_expires_at: string | null;
  /** When the webhook was created. */
  created_at: string;
  /** When the webhook was last changed. */
  updated_at: string;
}

export interface CreateWebhookRequest {
  /**
   * The URL to which requests are sent: `https://…` or `http://…`, without user, password and fragment.
   * Its host must have a public address.
   */
  url: string;
  /** The events that are sent to the webhook. */
  events: readonly (
    | 'sync.started'
    | 'sync.completed'
    | 'sync.failed'
    | 'sync.reverted'
    | 'sync.revert_failed'
    | 'snapshot.created'
    | 'snapshot.failed'
    | 'snapshot.restored'
    | 'restore.failed'
    | 'agent.away'
    | 'agent.back'
    | (string & {})
  )[];
  /**
   * The form of the bodies. `standard`: the event as JSON. `slack`: a message for an incoming webhook of
   * Slack. `teams`: a message with an Adaptive Card for a workflow of Microsoft Teams.
   */
  format?: 'standard' | 'slack' | 'teams' | (string & {}) | undefined;
}

export interface WebhookWithSecret {
  /** Id of the webhook. */
  id: string;
  /** The URL to which requests are sent. */
  url: string;
  events: (
    | 'sync.started'
    | 'sync.completed'
    | 'sync.failed'
    | 'sync.reverted'
    | 'sync.revert_failed'
    | 'snapshot.created'
    | 'snapshot.failed'
    | 'snapshot.restored'
    | 'restore.failed'
    | 'agent.away'
    | 'agent.back'
    | (string & {})
  )[];
  /**
   * The form of the bodies. `standard`: the event as JSON. `slack`: a message for an incoming webhook of
   * Slack. `teams`: a message with an Adaptive Card for a workflow of Microsoft Teams.
   */
  format: 'standard' | 'slack' | 'teams' | (string & {});
  /** A disabled webhook receives no requests. */
  status: 'enabled' | 'disabled' | (string & {});
  /** Why the webhook is disabled; null while it is enabled. */
  disabled_reason: 'failing' | 'gone' | 'manual' | (string & {}) | null;
  /** When the webhook was disabled; null while it is enabled. */
  disabled_at: string | null;
  /** Time from which on every attempt has failed; null after a success. */
  failing_since: string | null;
  /** Time at which the previous secret stops signing requests; null without a previous secret. */
  previous_secret_expires_at: string | null;
  /** When the webhook was created. */
  created_at: string;
  /** When the webhook was last changed. */
  updated_at: string;
  /** The secret that signs requests. Only this response shows it. */
  secret?: string;
}

export interface ChangeWebhookRequest {
  /**
   * The URL to which requests are sent: `https://…` or `http://…`, without user, password and fragment.
   * Its host must have a public address.
   */
  url?: string | undefined;
  /** The events that are sent to the webhook. */
  events?:
    | readonly (
        | 'sync.started'
        | 'sync.completed'
        | 'sync.failed'
        | 'sync.reverted'
        | 'sync.revert_failed'
        | 'snapshot.created'
        | 'snapshot.failed'
        | 'snapshot.restored'
        | 'restore.failed'
        | 'agent.away'
        | 'agent.back'
        | (string & {})
      )[]
    | undefined;
  /**
   * The form of the bodies. `standard`: the event as JSON. `slack`: a message for an incoming webhook of
   * Slack. `teams`: a message with an Adaptive Card for a workflow of Microsoft Teams.
   */
  format?: 'standard' | 'slack' | 'teams' | (string & {}) | undefined;
  /** `false` disables the webhook. `true` enables it again, also if it was disabled because of failures. */
  enabled?: boolean | undefined;
}

export interface RotateWebhookSecretRequest {
  /**
   * How long the previous secret signs `webhook-signature` beside the new one. With 0 it stops
   * immediately.
   */
  overlap_hours?: number | undefined;
}

export interface WebhookDelivery {
  /** Id of the delivery. */
  id: string;
  /** Id of the webhook. */
  webhook_id: string;
  /** The header `webhook-id` of the requests. It is the same for every attempt and for a resent event. */
  event_id: string;
  /** Kind of the event. */
  event: string;
  /** `failed`: the last attempt failed, or the webhook was disabled. */
  status: 'pending' | 'delivered' | 'failed' | (string & {});
  /** Number of attempts. */
  attempts: number;
  /** The newest twenty attempts, oldest first. */
  tries: WebhookDeliveryTry[];
  /** When the next attempt is planned; null if none is. */
  next_attempt_at: string | null;
  /** When the delivery was created. */
  created_at: string;
  /** When the receiver accepted the delivery; null before. */
  delivered_at: string | null;
  /** The delivery that this one repeats; null for an original delivery. */
  resend_of: string | null;
}

export interface WebhookDeliveryTry {
  /** When the attempt started. */
  at: string;
  /** HTTP status of the receiver's response; null without a response. */
  status_code: number | null;
  /** Why the attempt failed; null for a successful attempt. */
  error:
    | 'http_status'
    | 'timeout'
    | 'address_refused'
    | 'dns_failed'
    | 'connection_failed'
    | 'tls_failed'
    | 'invalid_response'
    | 'secret_unreadable'
    | (string & {})
    | null;
  /** Duration of the attempt in milliseconds. */
  duration_ms: number;
}

export interface ListWebhookDeliveriesResult {
  deliveries: WebhookDelivery[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface WebhookDeliveryWithRequest {
  /** Id of the delivery. */
  id: string;
  /** Id of the webhook. */
  webhook_id: string;
  /** The header `webhook-id` of the requests. It is the same for every attempt and for a resent event. */
  event_id: string;
  /** Kind of the event. */
  event: string;
  /** `failed`: the last attempt failed, or the webhook was disabled. */
  status: 'pending' | 'delivered' | 'failed' | (string & {});
  /** Number of attempts. */
  attempts: number;
  /** The newest twenty attempts, oldest first. */
  tries: WebhookDeliveryTry[];
  /** When the next attempt is planned; null if none is. */
  next_attempt_at: string | null;
  /** When the delivery was created. */
  created_at: string;
  /** When the receiver accepted the delivery; null before. */
  delivered_at: string | null;
  /** The delivery that this one repeats; null for an original delivery. */
  resend_of: string | null;
  /**
   * The exact body of the newest attempt, or of the first one if there was none. The signatures cover
   * these bytes.
   */
  payload: string;
  /**
   * The request of the newest attempt; null before the first attempt, or if the secret could not be
   * read.
   */
  last_request: WebhookDeliveryRequest | null;
}

export interface WebhookDeliveryRequest {
  /** The URL of the webhook at the time of the attempt. */
  url: string;
  /** All headers with their signatures, except `Host` and `Connection`. */
  headers: Record<string, string>;
}

export interface RecoverWebhookDeliveriesRequest {
  /** Sends again the failed deliveries that were created at this time or later (ISO 8601). */
  since: string;
  /** Leaves out deliveries that were created at this time or later (ISO 8601). */
  until?: string | undefined;
}

export interface WebhookRecovery {
  /** Number of events that are sent again. */
  resent: number;
  /** Whether failed deliveries remain. Send the request again to send them. */
  has_more: boolean;
}

export interface ListAuditEntriesResult {
  entries: AuditEntry[];
  /** Number of items on all pages. */
  total: number;
  /** Value from the request, or its default. */
  page: number;
  /** Value from the request, or its default. */
  per_page: number;
}

export interface AuditEntry {
  id: string;
  /** Time of the change. */
  occurred_at: string;
  /** The change that was made. */
  action:
    | 'organization.created'
    | 'organization.plan_changed'
    | 'token.created'
    | 'token.rotated'
    | 'token.revoked'
    | 'token.sign_in_refused'
    | 'member.invited'
    | 'member.joined'
    | 'member.role_changed'
    | 'member.removed'
    | 'member.forgotten'
    | 'member.account_linked'
    | 'member.sign_in_refused'
    | 'enrolment_token.created'
    | 'enrolment_token.revoked'
    | 'agent.enrolled'
    | 'agent.revoked'
    | 'sync_job.created'
    | 'model.uploaded'
    | 'model.deleted'
    | 'generator.registered'
    | 'generator.deleted'
    | 'mock_endpoint.created'
    | 'mock_endpoint.deleted'
    | 'sync_job.cancelled'
    | 'sync_job.deleted'
    | 'sync_job.released'
    | 'sync_job.reverted'
    | 'webhook.created'
    | 'webhook.changed'
    | 'webhook.secret_rotated'
    | 'webhook.disabled'
    | 'webhook.recovered'
    | 'webhook.deleted'
    | 'snapshot.created'
    | 'snapshot.restored'
    | 'snapshot.deleted'
    | 'session.opened'
    | 'session.ended'
    | 'session.all_ended'
    | 'sign_in_link.created'
    | 'sign_in_link.refused'
    | (string & {});
  actor: AuditEntryActor;
  target: AuditEntryTarget;
  /** Id of the request; null for the command line and the server. */
  request_id: string | null;
  /** Names, roles and ids, but never a secret. */
  details: Record<string, unknown>;
}

export interface AuditEntryActor {
  /** Type of the actor that made the change. */
  type: 'token' | 'member' | 'agent' | 'command_line' | 'server' | (string & {});
  /** Id of the actor; null for the command line and the server. */
  id: string | null;
  /** Member who owns the token; null for tokens of the organisation. */
  member_id: string | null;
}

export interface AuditEntryTarget {
  /** Type of the changed resource. */
  type:
    | 'organization'
    | 'token'
    | 'member'
    | 'enrolment_token'
    | 'agent'
    | 'sync_job'
    | 'model'
    | 'generator'
    | 'mock_endpoint'
    | 'webhook'
    | 'snapshot'
    | 'session'
    | 'sign_in_link'
    | (string & {});
  id: string;
}

export interface ListModelsQuery {
  /** Lists only models of this locale (`<lang>_<REGION>`). */
  locale?: string | undefined;
  /** Origin of the models. Models that agents trained are listed only with `private`. */
  type?: 'builtin' | 'custom' | 'private' | 'all' | (string & {}) | undefined;
  /** Lists only n-gram models, lists of values, or compositions. */
  kind?: 'ngram' | 'list' | 'composition' | (string & {}) | undefined;
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListGeneratorsQuery {
  /** Returns only versions of the composition with this name. */
  name?: string | undefined;
  /** Returns only compositions of this namespace. Ignored if `name` is given. */
  namespace?: string | undefined;
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListMockEndpointsQuery {
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListSyncJobsQuery {
  /** Lists only jobs with one of these statuses, separated by commas. */
  status?: string | undefined;
  /** Lists only jobs whose name contains this text, in upper or lower case. */
  name?: string | undefined;
  /** Lists only jobs that were created at this instant or later. */
  created_after?: string | undefined;
  /** Lists only jobs that were created before this instant. */
  created_before?: string | undefined;
  /** Lists only jobs whose last attempt ran on this agent. */
  agent_id?: string | undefined;
  /** Order of the jobs. A minus reverses it. `status` lists the newest jobs of each status first. */
  sort?: 'created_at' | '-created_at' | 'name' | '-name' | 'status' | '-status' | (string & {}) | undefined;
  /** With `none`, `tables` is empty for every job. `table_count` is the number of its tables. */
  tables?: 'all' | 'none' | (string & {}) | undefined;
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface GetSyncJobQuery {
  /**
   * `none` limits the size of the response: `tables`, `table_progress`, `subset` and `prediction.tables`
   * are empty, and `verification.checks` contains only failed checks. Every other list has at most 100
   * items. `GET /v1/sync/jobs/:id/tables` lists the tables in pages.
   */
  tables?: 'all' | 'none' | (string & {}) | undefined;
}

export interface ListSyncJobTablesQuery {
  /** Lists only tables with this status. */
  status?: 'pending' | 'copying' | 'indexing' | 'verifying' | 'completed' | (string & {}) | undefined;
  /**
   * Order of the tables. A minus reverses it. `position` is the order in the request. Tables without a
   * value come last. Not allowed with `changed_since`.
   */
  sort?:
    | 'position'
    | '-position'
    | 'name'
    | '-name'
    | 'rows_processed'
    | '-rows_processed'
    | 'rows_total'
    | '-rows_total'
    | 'bytes_processed'
    | '-bytes_processed'
    | 'bytes_total'
    | '-bytes_total'
    | 'bytes_remaining'
    | '-bytes_remaining'
    | (string & {})
    | undefined;
  /**
   * Lists only tables that changed after this `revision` of an earlier response, in the order of their
   * changes. If more tables changed than fit into the response, its `revision` is that of the last
   * listed table, so the next call with it continues there.
   */
  changed_since?: number | undefined;
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListSnapshotsQuery {
  /** Lists only snapshots with this status. */
  status?: 'creating' | 'ready' | 'failed' | 'expired' | 'deleting' | (string & {}) | undefined;
  /** Lists only snapshots whose name contains this text, in upper or lower case. */
  name?: string | undefined;
  /** With `none`, `tables` is empty for every snapshot, which limits the size of the response. */
  tables?: 'all' | 'none' | (string & {}) | undefined;
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListSnapshotRestoresQuery {
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface GetUsageQuery {
  /** First day in UTC, among the last 400 days. Default: 29 days before `last_day`. */
  first_day?: string | undefined;
  /** Last day in UTC, at most 91 days after `first_day`. Default: today. */
  last_day?: string | undefined;
}

export interface ListMembersQuery {
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListTokensQuery {
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListAgentsQuery {
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListEnrolmentTokensQuery {
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListAgentModelsQuery {
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListWebhooksQuery {
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListWebhookDeliveriesQuery {
  /** Lists only deliveries with this status. */
  status?: 'pending' | 'delivered' | 'failed' | (string & {}) | undefined;
  /** Lists only deliveries of this event. */
  event?:
    | 'sync.started'
    | 'sync.completed'
    | 'sync.failed'
    | 'sync.reverted'
    | 'sync.revert_failed'
    | 'snapshot.created'
    | 'snapshot.failed'
    | 'snapshot.restored'
    | 'restore.failed'
    | 'agent.away'
    | 'agent.back'
    | 'webhook.test'
    | (string & {})
    | undefined;
  /** Lists only deliveries that were created at this time or later (ISO 8601). */
  created_after?: string | undefined;
  /** Lists only deliveries that were created before this time (ISO 8601). */
  created_before?: string | undefined;
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}

export interface ListAuditEntriesQuery {
  /** Returns only entries of this action. */
  action?:
    | 'organization.created'
    | 'organization.plan_changed'
    | 'token.created'
    | 'token.rotated'
    | 'token.revoked'
    | 'token.sign_in_refused'
    | 'member.invited'
    | 'member.joined'
    | 'member.role_changed'
    | 'member.removed'
    | 'member.forgotten'
    | 'member.account_linked'
    | 'member.sign_in_refused'
    | 'enrolment_token.created'
    | 'enrolment_token.revoked'
    | 'agent.enrolled'
    | 'agent.revoked'
    | 'sync_job.created'
    | 'model.uploaded'
    | 'model.deleted'
    | 'generator.registered'
    | 'generator.deleted'
    | 'mock_endpoint.created'
    | 'mock_endpoint.deleted'
    | 'sync_job.cancelled'
    | 'sync_job.deleted'
    | 'sync_job.released'
    | 'sync_job.reverted'
    | 'webhook.created'
    | 'webhook.changed'
    | 'webhook.secret_rotated'
    | 'webhook.disabled'
    | 'webhook.recovered'
    | 'webhook.deleted'
    | 'snapshot.created'
    | 'snapshot.restored'
    | 'snapshot.deleted'
    | 'session.opened'
    | 'session.ended'
    | 'session.all_ended'
    | 'sign_in_link.created'
    | 'sign_in_link.refused'
    | (string & {})
    | undefined;
  /** Returns only changes by this token, member or agent. */
  actor_id?: string | undefined;
  /** Returns only changes to the resource with this id. */
  target_id?: string | undefined;
  /** Returns only changes that the request with this id made (`meta.request_id` of its response). */
  request_id?: string | undefined;
  /** Returns only changes at this time or later (ISO 8601). */
  occurred_after?: string | undefined;
  /** Returns only changes before this time (ISO 8601). */
  occurred_before?: string | undefined;
  /** Page number; a page past the end is empty. */
  page?: number | undefined;
  /** Items per page. */
  per_page?: number | undefined;
}
