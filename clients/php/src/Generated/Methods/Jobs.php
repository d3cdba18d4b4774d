<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;
use Understudy\Internal\WaitsForJobs;

/** The methods of `$client->jobs`. */
final class Jobs
{
    use WaitsForJobs;

    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the sync jobs.
     *
     * By default, the newest jobs come first.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:read`.
     *
     * Fields of `$query`:
     * - `status`: Lists only jobs with one of these statuses, separated by commas.
     * - `name`: Lists only jobs whose name contains this text, in upper or lower case.
     * - `created_after`: Lists only jobs that were created at this instant or later.
     * - `created_before`: Lists only jobs that were created before this instant.
     * - `agent_id`: Lists only jobs whose last attempt ran on this agent.
     * - `sort`: Order of the jobs. A minus reverses it. `status` lists the newest jobs of each status first.
     * - `tables`: With `none`, `tables` is empty for every job. `table_count` is the number of its tables.
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{
     *     status?: string,
     *     name?: string,
     *     created_after?: string,
     *     created_before?: string,
     *     agent_id?: string,
     *     sort?: 'created_at'|'-created_at'|'name'|'-name'|'status'|'-status'|string,
     *     tables?: 'all'|'none'|string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListSyncJobsResult
    {
        return $this->caller->call('listSyncJobs', Types\ListSyncJobsResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{
     *     status?: string,
     *     name?: string,
     *     created_after?: string,
     *     created_before?: string,
     *     agent_id?: string,
     *     sort?: 'created_at'|'-created_at'|'name'|'-name'|'status'|'-status'|string,
     *     tables?: 'all'|'none'|string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @return \Generator<int, Types\ListedSyncJob>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'jobs', $query);
    }

    /**
     * Creates and runs a sync job.
     *
     * The request is checked as far as possible without an agent, and the response contains all problems.
     * The job then waits for an agent. The target is unchanged until the job completes, and stays unchanged
     * if the job fails.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:write`.
     *
     * Fields of `$body`:
     * - `name`: Name of the job.
     * - `source`: The database to read. Every transaction on it is read-only.
     * - `source.type`: Kind of database.
     * - `source.connection_string`: A database from the agent's configuration (`agent:<name>`), or a URL
     *   `postgresql://user:password@host:5432/database`. A URL is sealed immediately, so that only agents
     *   can read it. It is always shown without its password.
     * - `target`: The database to write. All listed tables are replaced in one transaction.
     * - `target.type`: Kind of database.
     * - `target.connection_string`: A database from the agent's configuration (`agent:<name>`), or a URL
     *   `postgresql://user:password@host:5432/database`. A URL is sealed immediately, so that only agents
     *   can read it. It is always shown without its password.
     * - `agent`: Selects the agents that may run the work. An agent must match each given field. By default,
     *   any agent that offers the databases may run the work. A connection URL is sealed only to agents that
     *   may run the work.
     * - `agent.id`: Id of the agent. The control plane assigns ids; names and labels are chosen by the
     *   person who configures the agent.
     * - `agent.name`: Name of the agent, as shown by `GET /v1/agents`. Several agents may have the same
     *   name.
     * - `agent.labels`: Labels of the agent (`UNDERSTUDY_AGENT_LABELS`). The agent must have all of them.
     * - `tables`: The tables to copy. Each table can be listed once. A job that replaces tables can have
     *   1,000 tables, and a job that replaces a database 20,000 tables with 200,000 columns.
     * - `tables[].name`: Name of the table, written as in SQL: `t`, `schema.t` or `"Odd Schema"."T"`. The
     *   default schema is `public`.
     * - `tables[].rows`: The decision about a table whose columns have no rules. `preserve` copies all rows
     *   unchanged; `columns` is then the list of all columns. `none` creates the table without rows, and the
     *   table is not part of the progress. Requires `replace`: `database`.
     * - `tables[].columns`: With `rows`: `preserve`, the list of the columns. Otherwise column name → column
     *   rule: `{generator: <model id>}`, `{generator: "template", pattern}`, a generator definition, `{json:
     *   {<path>: <rule>}}` for values inside json and jsonb columns, or `{preserve: true}`. Modifiers:
     *   `unique`, `nullable`, `transform`, `constraints`, `differs`, `consistent`. `differs: true` needs a
     *   rule with at least 20 distinct values, or 1,000 on a column that the policy of the agent protects.
     *   `consistent: true` gives equal originals equal new values, which preserves joins but reveals
     *   frequencies.
     * - `tables[].unlisted_columns`: What happens to columns of this table without a rule. The default is
     *   the value of the job.
     * - `tables[].subset`: The rows to copy: `where`, `limit` or both. Rows to which these rows refer are
     *   copied, too, from any listed table. In a table without a subset, rows that refer to a row that is
     *   not copied are omitted.
     * - `tables[].subset.where`: A condition on the table's own columns, at most 4,096 bytes. It can use
     *   `=`, `<>`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL, AND, OR, NOT, parentheses
     *   and literals, but no functions, subqueries or other tables. The agent's policy must allow the
     *   condition.
     * - `tables[].subset.limit`: Maximum number of rows: the first matching rows, ordered by primary key.
     * - `unlisted_columns`: What happens to columns without a rule: `preserve` copies them unchanged,
     *   `reject` fails the job before a row is read, and `null` writes NULL.
     * - `unlisted_tables`: What happens if the source has a table that is neither in `tables` nor in
     *   `ignored_tables`. `reject` fails the job before a row is read, `warn` adds a warning with the number
     *   of these tables, and `ignore` does nothing. Partitions belong to their parent, and tables of
     *   extensions do not count.
     * - `ignored_tables`: The tables of the source that are left out on purpose, written as the names in
     *   `tables`. The job fails if the source has no such table. Requires `unlisted_tables`: `reject` or
     *   `warn`.
     * - `refresh_materialized_views`: Refreshes materialized views of the target that depend on replaced
     *   tables, after the tables are replaced. Otherwise a warning has the number of these views.
     * - `source_code`: What happens to triggers, rules, policies, constraints, indexes, defaults and
     *   statistics of missing tables that call functions of the source. `omit` does not create them, and
     *   adds a warning for each kind. A generated column that calls such a function needs a rule. Without
     *   this field, the policy of the agent decides whether they are created.
     * - `orphans`: What happens to rows that break a foreign key between tables of the job, because the row
     *   that they reference is not copied. It applies to keys that are validated on the target, or on the
     *   source if the job creates the table. `fail` fails the job with `orphans_found`. `skip` leaves these
     *   rows out, and all rows that reference them. `not_valid` copies them, and the key becomes NOT VALID.
     *   `skip` and `not_valid` add a warning for each key.
     * - `replace`: What the job replaces. `tables` replaces the listed tables in the target. `database`
     *   builds a complete copy of the source beside the target and then gives it the name of the target.
     *   Every table of the source must then be listed with rules for all of its columns, or with `rows`.
     *   Source and target must be databases of agents, and the policy of the agent must permit the mode.
     * - `drop_target_only`: Permits the job to drop objects that only the target has. Otherwise it fails
     *   with `target_only_objects`, also in a dry run, and lists these objects.
     * - `security_definer`: What happens to functions that are SECURITY DEFINER. `invoker` makes them
     *   SECURITY INVOKER and adds a warning. `keep` needs `allow_security_definer` in the policy of the
     *   agent.
     * - `large_objects`: What happens if the source has large objects. `fail` fails the job, and `skip` does
     *   not copy them. `copy` copies their content unchanged, and needs `allow_large_objects` in the policy
     *   of the agent.
     * - `privileges`: The privileges on the objects of the new database. `target` gives those that the
     *   replaced database had on objects of the same name, and its default privileges for other objects.
     *   `source` gives those of the source, and `none` only those of the owner.
     * - `owners`: The owners of the objects of the new database. `target` gives all objects to the owner of
     *   the replaced database. `source` gives each object the owner that it has on the source, if the role
     *   of the job is a member of that owner. A warning has the number of objects that kept the owner of the
     *   database.
     * - `publications`: The publications of the new database: `none`, or those of the `source`. Only a
     *   superuser can create publications of all tables or of schemas.
     * - `end_sessions`: Ends the sessions that use the replaced database, instead of waiting for them. Needs
     *   `allow_end_sessions` in the policy of the agent. Sessions of roles that the role of the job may not
     *   end are waited for. A revert of the job does the same.
     * - `tablespaces`: The tablespaces of tables and indexes: `none` uses that of the new database, and
     *   `source` those of the same names as on the source.
     * - `exclude_schemas`: The schemas of the source that the new database does not get, with everything in
     *   them. The job fails if an object outside of them depends on them and is not excluded, too.
     * - `exclude_tables`: The tables of the source that the new database does not get, written as the names
     *   in `tables`. Their indexes, keys and triggers are left out with them. The job fails if another
     *   object depends on them and is not excluded, too.
     * - `skip_objects`: Patterns of objects that the new database does not get, such as those that only a
     *   superuser can create: `extension postgis`, `event trigger *`, `function public.digest(*)`. A pattern
     *   has the kind and the identity that `pg_identify_object` of PostgreSQL returns, and `*` is any text.
     *   What depends on a skipped object is left out, too, with a warning for each. The job fails if this is
     *   a table whose rows it copies.
     * - `keep_replaced_hours`: For how long the replaced database is kept beside the new one, so that a
     *   revert can bring it back. With 0, it is dropped. The policy of the agent can lower the value. The
     *   next replacement of the target drops it earlier.
     * - `dry_run`: Runs all checks on the agent and copies nothing. The job ends as `completed` with a
     *   `prediction`. It counts for no quota and sends no webhooks.
     * - `seed`: Random seed. The same job with the same seed and `now` gives the same values. The default is
     *   a random seed.
     * - `now`: Reference instant of relative dates (ISO 8601). Default: the start of the current UTC day.
     *
     * @param array{
     *     name: string,
     *     source: array{type: 'postgresql'|'postgres'|string, connection_string: string},
     *     target: array{type: 'postgresql'|'postgres'|string, connection_string: string},
     *     agent?: array{id?: string, name?: string, labels?: list<string>},
     *     tables: list<array{
     *         name: string,
     *         rows?: 'preserve'|'none'|string,
     *         columns?: array<string, array<string, mixed>>|list<string>,
     *         unlisted_columns?: 'preserve'|'reject'|'null'|string,
     *         subset?: array{where?: string, limit?: int},
     *     }>,
     *     unlisted_columns?: 'preserve'|'reject'|'null'|string,
     *     unlisted_tables?: 'reject'|'warn'|'ignore'|string,
     *     ignored_tables?: list<string>,
     *     refresh_materialized_views?: bool,
     *     source_code?: 'omit'|string,
     *     orphans?: 'fail'|'skip'|'not_valid'|string,
     *     replace?: 'tables'|'database'|string,
     *     drop_target_only?: bool,
     *     security_definer?: 'invoker'|'keep'|string,
     *     large_objects?: 'fail'|'skip'|'copy'|string,
     *     privileges?: 'target'|'source'|'none'|string,
     *     owners?: 'target'|'source'|string,
     *     publications?: 'none'|'source'|string,
     *     end_sessions?: bool,
     *     tablespaces?: 'none'|'source'|string,
     *     exclude_schemas?: list<string>,
     *     exclude_tables?: list<string>,
     *     skip_objects?: list<string>,
     *     keep_replaced_hours?: int,
     *     dry_run?: bool,
     *     seed?: int,
     *     now?: string,
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function create(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\SyncJob
    {
        return $this->caller->call('createSyncJob', Types\SyncJob::class, body: $body, options: $options);
    }

    /**
     * Runs a sync job again.
     *
     * Creates a job with the request of this one, as the control plane stores it. This includes the parts
     * that no response shows, the seed and `now`. A dry run is repeated as a dry run. The request is checked
     * like a new one, with the models and generators of today, and the policy of the agent decides again. A
     * job with a connection URL cannot be repeated, because the control plane cannot read it, nor can one
     * whose definition was removed some time after its end.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:write`.
     *
     * @param string $id Id of a sync job.
     * @throws \Understudy\UnderstudyError
     */
    public function runAgain(string $id, #[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\SyncJob
    {
        return $this->caller->call('runSyncJobAgain', Types\SyncJob::class, [$id], body: $body, options: $options);
    }

    /**
     * Shows a sync job.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:read`.
     *
     * Fields of `$query`:
     * - `tables`: `none` limits the size of the response: `tables`, `table_progress`, `subset` and
     *   `prediction.tables` are empty, and `verification.checks` contains only failed checks. Every other
     *   list has at most 100 items. `GET /v1/sync/jobs/:id/tables` lists the tables in pages.
     *
     * @param string $id Id of a sync job.
     * @param array{tables?: 'all'|'none'|string} $query
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, array $query = [], ?CallOptions $options = null): Types\SyncJob
    {
        return $this->caller->call('getSyncJob', Types\SyncJob::class, [$id], query: $query, options: $options);
    }

    /**
     * Cancels a sync job, or deletes a job that has ended.
     *
     * A pending or running job is cancelled. It ends as `failed` with the code `cancelled`, or as
     * `completed` if its target was already switched. A job that has ended is deleted.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:write`.
     *
     * @param string $id Id of a sync job.
     * @throws \Understudy\UnderstudyError
     */
    public function delete(string $id, ?CallOptions $options = null): Types\DeleteSyncJobResult
    {
        return $this->caller->call('deleteSyncJob', Types\DeleteSyncJobResult::class, [$id], options: $options);
    }

    /**
     * Shows the request with which a sync job was accepted.
     *
     * Returns the request with which the job was accepted, with the defaults that were applied. You can
     * change `definition` and post it as a new job. It omits connection URLs, conditions, and literals in
     * rules that can be values of rows. Each of them is null, and its path is in `withheld`. Fill them in
     * before you post the definition: null is refused at each of these paths. The control plane removes the
     * definition some time after the job has ended; the operation then returns 404.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:read`.
     *
     * @param string $id Id of a sync job.
     * @throws \Understudy\UnderstudyError
     */
    public function getDefinition(string $id, ?CallOptions $options = null): Types\SyncJobDefinition
    {
        return $this->caller->call('getSyncJobDefinition', Types\SyncJobDefinition::class, [$id], options: $options);
    }

    /**
     * Lists the tables of a sync job with their progress.
     *
     * To follow a running job, list the tables once, and then pass `revision` as `changed_since` in each
     * call. No change is missed, and no call returns more than `per_page` tables.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:read`.
     *
     * Fields of `$query`:
     * - `status`: Lists only tables with this status.
     * - `sort`: Order of the tables. A minus reverses it. `position` is the order in the request. Tables
     *   without a value come last. Not allowed with `changed_since`.
     * - `changed_since`: Lists only tables that changed after this `revision` of an earlier response, in the
     *   order of their changes. If more tables changed than fit into the response, its `revision` is that of
     *   the last listed table, so the next call with it continues there.
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param string $id Id of a sync job.
     * @param array{
     *     status?: 'pending'|'copying'|'indexing'|'verifying'|'completed'|string,
     *     sort?: 'position'|'-position'|'name'|'-name'|'rows_processed'|'-rows_processed'|'rows_total'|'-rows_total'|'bytes_processed'|'-bytes_processed'|'bytes_total'|'-bytes_total'|'bytes_remaining'|'-bytes_remaining'|string,
     *     changed_since?: int,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @throws \Understudy\UnderstudyError
     */
    public function listTables(string $id, array $query = [], ?CallOptions $options = null): Types\SyncJobTablePage
    {
        return $this->caller->call('listSyncJobTables', Types\SyncJobTablePage::class, [$id], query: $query, options: $options);
    }

    /**
     * Takes a sync job away from an agent that has lost its connection.
     *
     * Ends the grace period of an agent that will not come back, so that another agent can get the job. The
     * attempt does not count. As soon as the next attempt has connected to the target, the old agent can
     * change nothing there. If the old agent had already switched the target, the next attempt only reports
     * the result. A job with a cancel request ends as `cancelled`.
     *
     * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:write`.
     *
     * @param string $id Id of a sync job.
     * @throws \Understudy\UnderstudyError
     */
    public function release(string $id, #[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\SyncJob
    {
        return $this->caller->call('releaseSyncJob', Types\SyncJob::class, [$id], body: $body, options: $options);
    }

    /**
     * Brings back the database that a sync job has replaced.
     *
     * Swaps the target and the database that the job has replaced. The content of the job is kept instead,
     * and a second revert swaps them again. The job must be the last replacement of its target, and its
     * `replaced.kept_until` must not have passed. The status of the job does not change.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:write`.
     *
     * @param string $id Id of a sync job.
     * @throws \Understudy\UnderstudyError
     */
    public function revert(string $id, #[\SensitiveParameter] array $body = [], ?CallOptions $options = null): Types\AcceptedRevert
    {
        return $this->caller->call('revertSyncJob', Types\AcceptedRevert::class, [$id], body: $body, options: $options);
    }

    /**
     * Shows a revert of a sync job.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:read`.
     *
     * @param string $id Id of a sync job.
     * @param string $revertId Id of a revert.
     * @throws \Understudy\UnderstudyError
     */
    public function getRevert(string $id, string $revertId, ?CallOptions $options = null): Types\Revert
    {
        return $this->caller->call('getSyncJobRevert', Types\Revert::class, [$id, $revertId], options: $options);
    }

    /**
     * Shows what is stored about a sync job.
     *
     * Shows that no row of your databases is stored. `facts` lists what the control plane stores about the
     * job. `messages` lists every field that an agent can send about a job, with the facts that contain it.
     * The audit log, webhook deliveries, the list of private models and the records of refused events repeat
     * some facts.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `jobs:read`.
     *
     * @param string $id Id of a sync job.
     * @throws \Understudy\UnderstudyError
     */
    public function getStoredData(string $id, ?CallOptions $options = null): Types\StoredData
    {
        return $this->caller->call('getSyncJobStoredData', Types\StoredData::class, [$id], options: $options);
    }
}
