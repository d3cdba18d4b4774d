<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated\Methods;

use Understudy\CallOptions;
use Understudy\Generated\Types;
use Understudy\Internal\Caller;
use Understudy\Internal\Pages;

/** The methods of `$client->snapshots`. */
final class Snapshots
{
    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Lists the snapshots.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `snapshots:read`.
     *
     * Fields of `$query`:
     * - `status`: Lists only snapshots with this status.
     * - `name`: Lists only snapshots whose name contains this text, in upper or lower case.
     * - `tables`: With `none`, `tables` is empty for every snapshot, which limits the size of the response.
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param array{
     *     status?: 'creating'|'ready'|'failed'|'expired'|'deleting'|string,
     *     name?: string,
     *     tables?: 'all'|'none'|string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @throws \Understudy\UnderstudyError
     */
    public function list(array $query = [], ?CallOptions $options = null): Types\ListSnapshotsResult
    {
        return $this->caller->call('listSnapshots', Types\ListSnapshotsResult::class, query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `list`. It requests a page only when you need it.
     *
     * @param array{
     *     status?: 'creating'|'ready'|'failed'|'expired'|'deleting'|string,
     *     name?: string,
     *     tables?: 'all'|'none'|string,
     *     page?: int,
     *     per_page?: int,
     * } $query
     * @return \Generator<int, Types\ListedSnapshot>
     * @throws \Understudy\UnderstudyError
     */
    public function iterate(array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->list($page, $options), 'snapshots', $query);
    }

    /**
     * Takes a snapshot of a database.
     *
     * An agent creates the snapshot from one instant of the database, and stores it. No row reaches the
     * control plane. The snapshot counts for the plan while it is `creating` or `ready`.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `snapshots:write`.
     *
     * Fields of `$body`:
     * - `name`: Name of the snapshot.
     * - `database`: A database from the agent's policy file, or a connection URL. A URL is sealed
     *   immediately, so that only agents can read it.
     * - `tables`: The tables to include, written as in SQL: `t`, `schema.t` or `"Odd Schema"."T"`. The
     *   default schema is `public`. Partitions are included with their parent. Without this field or with an
     *   empty array, the snapshot contains all tables.
     * - `agent`: Selects the agents that may run the work. An agent must match each given field. By default,
     *   any agent that offers the databases may run the work. A connection URL is sealed only to agents that
     *   may run the work.
     * - `agent.id`: Id of the agent. The control plane assigns ids; names and labels are chosen by the
     *   person who configures the agent.
     * - `agent.name`: Name of the agent, as shown by `GET /v1/agents`. Several agents may have the same
     *   name.
     * - `agent.labels`: Labels of the agent (`UNDERSTUDY_AGENT_LABELS`). The agent must have all of them.
     * - `expires_in_days`: Days until the snapshot expires and is erased.
     *
     * @param array{
     *     name: string,
     *     database: string,
     *     tables?: list<string>,
     *     agent?: array{id?: string, name?: string, labels?: list<string>},
     *     expires_in_days?: int,
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function create(#[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\Snapshot
    {
        return $this->caller->call('createSnapshot', Types\Snapshot::class, body: $body, options: $options);
    }

    /**
     * Shows a snapshot.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `snapshots:read`.
     *
     * @param string $id Id of a snapshot.
     * @throws \Understudy\UnderstudyError
     */
    public function get(string $id, ?CallOptions $options = null): Types\Snapshot
    {
        return $this->caller->call('getSnapshot', Types\Snapshot::class, [$id], options: $options);
    }

    /**
     * Deletes a snapshot.
     *
     * A deleted snapshot cannot be restored and does not count for the plan. Waiting restores fail, and a
     * running restore finishes first. A snapshot that is still being created is cancelled.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `snapshots:write`.
     *
     * @param string $id Id of a snapshot.
     * @throws \Understudy\UnderstudyError
     */
    public function delete(string $id, ?CallOptions $options = null): Types\Deleted
    {
        return $this->caller->call('deleteSnapshot', Types\Deleted::class, [$id], options: $options);
    }

    /**
     * Restores a snapshot into a database.
     *
     * An agent first checks the target within 5 seconds. The response is 409 if the target contains tables
     * and `overwrite` is false, or if the target is in use. It is 503 if no agent responds in time. In these
     * cases nothing is changed. A restore that fails later does not change the target, either.
     *
     * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
     * `snapshots:write`.
     *
     * Fields of `$body`:
     * - `target_database`: The target database: a restore target from the agent's policy file, or a
     *   connection URL. A missing database is created.
     * - `overwrite`: Whether a target that contains tables is replaced. The snapshot is loaded into a new
     *   database, which replaces the target at the end. A restore that fails does not change the target.
     * - `agent`: Selects the agents that may run the work. An agent must match each given field. By default,
     *   any agent that offers the databases may run the work. A connection URL is sealed only to agents that
     *   may run the work.
     * - `agent.id`: Id of the agent. The control plane assigns ids; names and labels are chosen by the
     *   person who configures the agent.
     * - `agent.name`: Name of the agent, as shown by `GET /v1/agents`. Several agents may have the same
     *   name.
     * - `agent.labels`: Labels of the agent (`UNDERSTUDY_AGENT_LABELS`). The agent must have all of them.
     *
     * @param string $id Id of a snapshot.
     * @param array{
     *     target_database: string,
     *     overwrite?: bool,
     *     agent?: array{id?: string, name?: string, labels?: list<string>},
     * } $body
     * @throws \Understudy\UnderstudyError
     */
    public function restore(string $id, #[\SensitiveParameter] array $body, ?CallOptions $options = null): Types\AcceptedRestore
    {
        return $this->caller->call('restoreSnapshot', Types\AcceptedRestore::class, [$id], body: $body, options: $options);
    }

    /**
     * Lists the restores of a snapshot.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `snapshots:read`.
     *
     * Fields of `$query`:
     * - `page`: Page number; a page past the end is empty.
     * - `per_page`: Items per page.
     *
     * @param string $id Id of a snapshot.
     * @param array{page?: int, per_page?: int} $query
     * @throws \Understudy\UnderstudyError
     */
    public function listRestores(string $id, array $query = [], ?CallOptions $options = null): Types\ListSnapshotRestoresResult
    {
        return $this->caller->call('listSnapshotRestores', Types\ListSnapshotRestoresResult::class, [$id], query: $query, options: $options);
    }

    /**
     * Iterates over the items of all pages of `listRestores`. It requests a page only when you need it.
     *
     * @param string $id Id of a snapshot.
     * @param array{page?: int, per_page?: int} $query
     * @return \Generator<int, Types\Restore>
     * @throws \Understudy\UnderstudyError
     */
    public function iterateRestores(string $id, array $query = [], ?CallOptions $options = null): \Generator
    {
        return Pages::iterate(fn (array $page) => $this->listRestores($id, $page, $options), 'restores', $query);
    }

    /**
     * Shows a restore.
     *
     * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
     * `snapshots:read`.
     *
     * @param string $id Id of a snapshot.
     * @param string $restoreId Id of a restore.
     * @throws \Understudy\UnderstudyError
     */
    public function getRestore(string $id, string $restoreId, ?CallOptions $options = null): Types\Restore
    {
        return $this->caller->call('getSnapshotRestore', Types\Restore::class, [$id, $restoreId], options: $options);
    }
}
