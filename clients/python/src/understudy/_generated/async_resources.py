"""The resources of `AsyncUnderstudy`.

Written by `npm run generate` from docs/reference/openapi.json. Do not edit.
"""

from __future__ import annotations

from typing import Any, AsyncIterator, Mapping, Sequence

from .._async_caller import AsyncCaller
from .._resource import (
    AsyncJobsResource,
    AsyncResource,
    AsyncWebhooksResource,
)
from . import operations, types


class AsyncModels(AsyncResource):
    """The methods of `client.models`."""

    async def list(
        self,
        *,
        locale: str | None = None,
        type: types.ListModelsType | None = None,
        kind: types.ModelKind | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListModelsResult:
        """Lists the models.

        Uploaded models come first, the newest at the top. Built-in models follow,
        ordered by id.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `models:read`.

        Args:
            locale: Lists only models of this locale (`<lang>_<REGION>`).
            type: Origin of the models. Models that agents trained are listed only with
                `private`.
            kind: Lists only n-gram models, lists of values, or compositions.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_MODELS,
            query={
                "locale": locale,
                "type": type,
                "kind": kind,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        locale: str | None = None,
        type: types.ListModelsType | None = None,
        kind: types.ModelKind | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.ListModelsResultModel]:
        """Iterates over the items of all pages of `list`.

        Args:
            locale: Lists only models of this locale (`<lang>_<REGION>`).
            type: Origin of the models. Models that agents trained are listed only with
                `private`.
            kind: Lists only n-gram models, lists of values, or compositions.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_MODELS,
            query={
                "locale": locale,
                "type": type,
                "kind": kind,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def upload(
        self,
        *,
        file: types.File,
        name: str,
        id: str | None = None,
        description: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.UploadedModel:
        """Uploads a custom model.

        The locale is read from the file. The id is the given `id`, or `custom/` and a
        slug of the name. Files that agents trained or that contain original values are
        refused. An uploaded model therefore supports neither the mode `real_word` nor
        the constraint `exclude_originals`.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `models:write`.

        Args:
            file: Model file in the `.ngram` format, at most 32 MiB. It must not contain
                original values.
            name: Display name of the model. Without an `id`, the id of the model is
                `custom/<slug of the name>`.
            id: The id of the model, with or without the prefix `custom/`. It is
                required if the name contains no letter or digit.
            description: Purpose of the model.
        """
        return await self._caller.call(
            operations.UPLOAD_MODEL,
            body={
                "file": file,
                "name": name,
                "id": id,
                "description": description,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.GetModelResult:
        """Shows a model.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `models:read`.

        Args:
            id: Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
        """
        return await self._caller.call(
            operations.GET_MODEL,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def delete(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Deleted:
        """Deletes a custom model, or a model that an agent trained.

        You cannot delete a built-in model or a model that a mock endpoint uses.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `models:write`.

        Args:
            id: Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
        """
        return await self._caller.call(
            operations.DELETE_MODEL,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def download(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> bytes:
        """Downloads the file of a custom model.

        The file has exactly the bytes that were uploaded, and the `ETag` is their
        SHA-256 in hex. Built-in models and models that agents trained have no file
        here.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `models:read`.

        Args:
            id: Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
        """
        return await self._caller.call(
            operations.DOWNLOAD_MODEL,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncGenerators(AsyncResource):
    """The methods of `client.generators`."""

    async def list(
        self,
        *,
        name: str | None = None,
        namespace: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListGeneratorsResult:
        """Lists the registered compositions, with one entry for each version.

        Returns the newest composition first. Each version is a separate item.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `generators:read`.

        Args:
            name: Returns only versions of the composition with this name.
            namespace: Returns only compositions of this namespace. Ignored if `name` is
                given.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_GENERATORS,
            query={
                "name": name,
                "namespace": namespace,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        name: str | None = None,
        namespace: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.ListedGenerator]:
        """Iterates over the items of all pages of `list`.

        Args:
            name: Returns only versions of the composition with this name.
            namespace: Returns only compositions of this namespace. Ignored if `name` is
                given.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_GENERATORS,
            query={
                "name": name,
                "namespace": namespace,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def register(
        self,
        *,
        name: str,
        version: str | None = None,
        description: str | None = None,
        params: Mapping[str, Any] | None = None,
        let: Mapping[str, Any] | None = None,
        body: str | None = None,
        variants: Sequence[Any] | None = None,
        output: Any | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.Generator:
        """Registers a composition, or a new version of a registered one.

        The server compiles the composition first. It refuses an unknown reference and
        suggests a similar name. A registered version never changes.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `generators:write`.

        Args:
            name: `@<namespace>/<package>:<name>`.
            version: Semantic version. Default: 0.1.0.
            description: Description of the generated values.
            params: Parameters by name, each `{type, required?, default?,
                description?}`. A required parameter has no default.
            let: Named steps in any order. Each step is a generator or an expression
                over other steps.
            body: Template of the generated text. Use it instead of `variants` and
                `output`.
            variants: Weighted templates. Each value uses one of them at random.
            output: Object whose leaves are templates. Use it instead of `body` and
                `variants`.
        """
        return await self._caller.call(
            operations.REGISTER_GENERATOR,
            body={
                "name": name,
                "version": version,
                "description": description,
                "params": params,
                "let": let,
                "body": body,
                "variants": variants,
                "output": output,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Generator:
        """Shows a registered composition; `name@version` selects a version, and a name
        its highest version.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `generators:read`.

        Args:
            id: Name of a registered composition, with or without a version:
                `name@version` or `name`.
        """
        return await self._caller.call(
            operations.GET_GENERATOR,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def delete(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Deleted:
        """Deletes a registered composition; `name@version` selects one version, and a
        name all versions.

        Jobs that were accepted before keep their copy of the composition.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `generators:write`.

        Args:
            id: Name of a registered composition, with or without a version:
                `name@version` or `name`.
        """
        return await self._caller.call(
            operations.DELETE_GENERATOR,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncMockEndpoints(AsyncResource):
    """The methods of `client.mock_endpoints`."""

    async def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListMockEndpointsResult:
        """Lists the mock endpoints.

        The newest endpoints come first.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `endpoints:read`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_MOCK_ENDPOINTS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.ListedMockEndpoint]:
        """Iterates over the items of all pages of `list`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_MOCK_ENDPOINTS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def create(
        self,
        *,
        path: str,
        method: types.MockEndpointMethod,
        schema: Mapping[str, Any],
        response: types.MockResponseRequest | None = None,
        auth: types.MockEndpointAuth | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.MockEndpoint:
        """Creates a mock endpoint.

        The schema and the wrapper are compiled before the response. The endpoint is
        served immediately at `url`; see docs/guides/mock-endpoints.md. Custom models
        that the endpoint uses cannot be deleted while it exists. The endpoint keeps the
        current versions of the registered compositions that it uses.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `endpoints:write`.

        Args:
            path: Path of the endpoint. A segment that starts with a colon is a
                parameter, which matches any value.
            method: The method of the endpoint. GET includes HEAD.
            schema: The schema of the records, as in `POST /generate`. Generators can
                refer to `params`.
            response: The response of the endpoint.
            auth: `token`: calls need an API token of the organisation. `none`: the URL
                is enough.
        """
        return await self._caller.call(
            operations.CREATE_MOCK_ENDPOINT,
            body={
                "path": path,
                "method": method,
                "schema": schema,
                "response": response,
                "auth": auth,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.MockEndpoint:
        """Shows a mock endpoint and its schema.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `endpoints:read`.

        Args:
            id: Id of a mock endpoint.
        """
        return await self._caller.call(
            operations.GET_MOCK_ENDPOINT,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def delete(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Deleted:
        """Deletes a mock endpoint.

        The URL of the endpoint then returns 404. Other servers do so within a second.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `endpoints:write`.

        Args:
            id: Id of a mock endpoint.
        """
        return await self._caller.call(
            operations.DELETE_MOCK_ENDPOINT,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncJobs(AsyncJobsResource):
    """The methods of `client.jobs`."""

    async def list(
        self,
        *,
        status: str | None = None,
        name: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        agent_id: str | None = None,
        sort: types.ListSyncJobsSort | None = None,
        tables: types.ListSyncJobsTables | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListSyncJobsResult:
        """Lists the sync jobs.

        By default, the newest jobs come first.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:read`.

        Args:
            status: Lists only jobs with one of these statuses, separated by commas.
            name: Lists only jobs whose name contains this text, in upper or lower case.
            created_after: Lists only jobs that were created at this instant or later.
            created_before: Lists only jobs that were created before this instant.
            agent_id: Lists only jobs whose last attempt ran on this agent.
            sort: Order of the jobs. A minus reverses it. `status` lists the newest jobs
                of each status first.
            tables: With `none`, `tables` is empty for every job. `table_count` is the
                number of its tables.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_SYNC_JOBS,
            query={
                "status": status,
                "name": name,
                "created_after": created_after,
                "created_before": created_before,
                "agent_id": agent_id,
                "sort": sort,
                "tables": tables,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        status: str | None = None,
        name: str | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        agent_id: str | None = None,
        sort: types.ListSyncJobsSort | None = None,
        tables: types.ListSyncJobsTables | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.ListedSyncJob]:
        """Iterates over the items of all pages of `list`.

        Args:
            status: Lists only jobs with one of these statuses, separated by commas.
            name: Lists only jobs whose name contains this text, in upper or lower case.
            created_after: Lists only jobs that were created at this instant or later.
            created_before: Lists only jobs that were created before this instant.
            agent_id: Lists only jobs whose last attempt ran on this agent.
            sort: Order of the jobs. A minus reverses it. `status` lists the newest jobs
                of each status first.
            tables: With `none`, `tables` is empty for every job. `table_count` is the
                number of its tables.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_SYNC_JOBS,
            query={
                "status": status,
                "name": name,
                "created_after": created_after,
                "created_before": created_before,
                "agent_id": agent_id,
                "sort": sort,
                "tables": tables,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def create(
        self,
        *,
        name: str,
        source: types.Database,
        target: types.Database,
        tables: Sequence[types.TableRequest],
        agent: types.AgentSelector | None = None,
        unlisted_columns: types.SyncJobUnlistedColumns | None = None,
        unlisted_tables: types.SyncJobUnlistedTables | None = None,
        ignored_tables: Sequence[str] | None = None,
        refresh_materialized_views: bool | None = None,
        source_code: str | None = None,
        orphans: types.SyncJobOrphans | None = None,
        replace: types.DefinedSyncJobReplace | None = None,
        drop_target_only: bool | None = None,
        security_definer: types.DefinedSyncJobSecurityDefiner | None = None,
        large_objects: types.DefinedSyncJobLargeObjects | None = None,
        privileges: types.DefinedSyncJobPrivileges | None = None,
        owners: types.DefinedSyncJobOwners | None = None,
        publications: types.DefinedSyncJobPublications | None = None,
        end_sessions: bool | None = None,
        tablespaces: types.DefinedSyncJobPublications | None = None,
        exclude_schemas: Sequence[str] | None = None,
        exclude_tables: Sequence[str] | None = None,
        skip_objects: Sequence[str] | None = None,
        keep_replaced_hours: int | None = None,
        dry_run: bool | None = None,
        seed: int | None = None,
        now: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.SyncJob:
        """Creates and runs a sync job.

        The request is checked as far as possible without an agent, and the response
        contains all problems. The job then waits for an agent. The target is unchanged
        until the job completes, and stays unchanged if the job fails.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:write`.

        Args:
            name: Name of the job.
            source: The database to read. Every transaction on it is read-only.
            target: The database to write. All listed tables are replaced in one
                transaction.
            agent: Selects the agents that may run the work. An agent must match each
                given field. By default, any agent that offers the databases may run the
                work. A connection URL is sealed only to agents that may run the work.
            tables: The tables to copy. Each table can be listed once. A job that
                replaces tables can have 1,000 tables, and a job that replaces a
                database 20,000 tables with 200,000 columns.
            unlisted_columns: What happens to columns without a rule: `preserve` copies
                them unchanged, `reject` fails the job before a row is read, and `null`
                writes NULL.
            unlisted_tables: What happens if the source has a table that is neither in
                `tables` nor in `ignored_tables`. `reject` fails the job before a row is
                read, `warn` adds a warning with the number of these tables, and
                `ignore` does nothing. Partitions belong to their parent, and tables of
                extensions do not count.
            ignored_tables: The tables of the source that are left out on purpose,
                written as the names in `tables`. The job fails if the source has no
                such table. Requires `unlisted_tables`: `reject` or `warn`.
            refresh_materialized_views: Refreshes materialized views of the target that
                depend on replaced tables, after the tables are replaced. Otherwise a
                warning has the number of these views.
            source_code: What happens to triggers, rules, policies, constraints,
                indexes, defaults and statistics of missing tables that call functions
                of the source. `omit` does not create them, and adds a warning for each
                kind. A generated column that calls such a function needs a rule.
                Without this field, the policy of the agent decides whether they are
                created.
            orphans: What happens to rows that break a foreign key between tables of the
                job, because the row that they reference is not copied. It applies to
                keys that are validated on the target, or on the source if the job
                creates the table. `fail` fails the job with `orphans_found`. `skip`
                leaves these rows out, and all rows that reference them. `not_valid`
                copies them, and the key becomes NOT VALID. `skip` and `not_valid` add a
                warning for each key.
            replace: What the job replaces. `tables` replaces the listed tables in the
                target. `database` builds a complete copy of the source beside the
                target and then gives it the name of the target. Every table of the
                source must then be listed with rules for all of its columns, or with
                `rows`. Source and target must be databases of agents, and the policy of
                the agent must permit the mode.
            drop_target_only: Permits the job to drop objects that only the target has.
                Otherwise it fails with `target_only_objects`, also in a dry run, and
                lists these objects.
            security_definer: What happens to functions that are SECURITY DEFINER.
                `invoker` makes them SECURITY INVOKER and adds a warning. `keep` needs
                `allow_security_definer` in the policy of the agent.
            large_objects: What happens if the source has large objects. `fail` fails
                the job, and `skip` does not copy them. `copy` copies their content
                unchanged, and needs `allow_large_objects` in the policy of the agent.
            privileges: The privileges on the objects of the new database. `target`
                gives those that the replaced database had on objects of the same name,
                and its default privileges for other objects. `source` gives those of
                the source, and `none` only those of the owner.
            owners: The owners of the objects of the new database. `target` gives all
                objects to the owner of the replaced database. `source` gives each
                object the owner that it has on the source, if the role of the job is a
                member of that owner. A warning has the number of objects that kept the
                owner of the database.
            publications: The publications of the new database: `none`, or those of the
                `source`. Only a superuser can create publications of all tables or of
                schemas.
            end_sessions: Ends the sessions that use the replaced database, instead of
                waiting for them. Needs `allow_end_sessions` in the policy of the agent.
                Sessions of roles that the role of the job may not end are waited for. A
                revert of the job does the same.
            tablespaces: The tablespaces of tables and indexes: `none` uses that of the
                new database, and `source` those of the same names as on the source.
            exclude_schemas: The schemas of the source that the new database does not
                get, with everything in them. The job fails if an object outside of them
                depends on them and is not excluded, too.
            exclude_tables: The tables of the source that the new database does not get,
                written as the names in `tables`. Their indexes, keys and triggers are
                left out with them. The job fails if another object depends on them and
                is not excluded, too.
            skip_objects: Patterns of objects that the new database does not get, such
                as those that only a superuser can create: `extension postgis`, `event
                trigger *`, `function public.digest(*)`. A pattern has the kind and the
                identity that `pg_identify_object` of PostgreSQL returns, and `*` is any
                text. What depends on a skipped object is left out, too, with a warning
                for each. The job fails if this is a table whose rows it copies.
            keep_replaced_hours: For how long the replaced database is kept beside the
                new one, so that a revert can bring it back. With 0, it is dropped. The
                policy of the agent can lower the value. The next replacement of the
                target drops it earlier.
            dry_run: Runs all checks on the agent and copies nothing. The job ends as
                `completed` with a `prediction`. It counts for no quota and sends no
                webhooks.
            seed: Random seed. The same job with the same seed and `now` gives the same
                values. The default is a random seed.
            now: Reference instant of relative dates (ISO 8601). Default: the start of
                the current UTC day.
        """
        return await self._caller.call(
            operations.CREATE_SYNC_JOB,
            body={
                "name": name,
                "source": source,
                "target": target,
                "agent": agent,
                "tables": tables,
                "unlisted_columns": unlisted_columns,
                "unlisted_tables": unlisted_tables,
                "ignored_tables": ignored_tables,
                "refresh_materialized_views": refresh_materialized_views,
                "source_code": source_code,
                "orphans": orphans,
                "replace": replace,
                "drop_target_only": drop_target_only,
                "security_definer": security_definer,
                "large_objects": large_objects,
                "privileges": privileges,
                "owners": owners,
                "publications": publications,
                "end_sessions": end_sessions,
                "tablespaces": tablespaces,
                "exclude_schemas": exclude_schemas,
                "exclude_tables": exclude_tables,
                "skip_objects": skip_objects,
                "keep_replaced_hours": keep_replaced_hours,
                "dry_run": dry_run,
                "seed": seed,
                "now": now,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def run_again(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.SyncJob:
        """Runs a sync job again.

        Creates a job with the request of this one, as the control plane stores it. This
        includes the parts that no response shows, the seed and `now`. A dry run is
        repeated as a dry run. The request is checked like a new one, with the models
        and generators of today, and the policy of the agent decides again. A job with a
        connection URL cannot be repeated, because the control plane cannot read it, nor
        can one whose definition was removed some time after its end.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:write`.

        Args:
            id: Id of a sync job.
        """
        return await self._caller.call(
            operations.RUN_SYNC_JOB_AGAIN,
            path=(id,),
            body={},
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        tables: types.ListSyncJobsTables | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.SyncJob:
        """Shows a sync job.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:read`.

        Args:
            id: Id of a sync job.
            tables: `none` limits the size of the response: `tables`, `table_progress`,
                `subset` and `prediction.tables` are empty, and `verification.checks`
                contains only failed checks. Every other list has at most 100 items.
                `GET /v1/sync/jobs/:id/tables` lists the tables in pages.
        """
        return await self._caller.call(
            operations.GET_SYNC_JOB,
            path=(id,),
            query={
                "tables": tables,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def delete(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.DeleteSyncJobResult:
        """Cancels a sync job, or deletes a job that has ended.

        A pending or running job is cancelled. It ends as `failed` with the code
        `cancelled`, or as `completed` if its target was already switched. A job that
        has ended is deleted.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:write`.

        Args:
            id: Id of a sync job.
        """
        return await self._caller.call(
            operations.DELETE_SYNC_JOB,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def get_definition(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.SyncJobDefinition:
        """Shows the request with which a sync job was accepted.

        Returns the request with which the job was accepted, with the defaults that were
        applied. You can change `definition` and post it as a new job. It omits
        connection URLs, conditions, and literals in rules that can be values of rows.
        Each of them is null, and its path is in `withheld`. Fill them in before you
        post the definition: null is refused at each of these paths. The control plane
        removes the definition some time after the job has ended; the operation then
        returns 404.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:read`.

        Args:
            id: Id of a sync job.
        """
        return await self._caller.call(
            operations.GET_SYNC_JOB_DEFINITION,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def list_tables(
        self,
        id: str,
        /,
        *,
        status: types.SyncJobTableProgressStatus | None = None,
        sort: types.ListSyncJobTablesSort | None = None,
        changed_since: int | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.SyncJobTablePage:
        """Lists the tables of a sync job with their progress.

        To follow a running job, list the tables once, and then pass `revision` as
        `changed_since` in each call. No change is missed, and no call returns more than
        `per_page` tables.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:read`.

        Args:
            id: Id of a sync job.
            status: Lists only tables with this status.
            sort: Order of the tables. A minus reverses it. `position` is the order in
                the request. Tables without a value come last. Not allowed with
                `changed_since`.
            changed_since: Lists only tables that changed after this `revision` of an
                earlier response, in the order of their changes. If more tables changed
                than fit into the response, its `revision` is that of the last listed
                table, so the next call with it continues there.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_SYNC_JOB_TABLES,
            path=(id,),
            query={
                "status": status,
                "sort": sort,
                "changed_since": changed_since,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def release(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.SyncJob:
        """Takes a sync job away from an agent that has lost its connection.

        Ends the grace period of an agent that will not come back, so that another agent
        can get the job. The attempt does not count. As soon as the next attempt has
        connected to the target, the old agent can change nothing there. If the old
        agent had already switched the target, the next attempt only reports the result.
        A job with a cancel request ends as `cancelled`.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:write`.

        Args:
            id: Id of a sync job.
        """
        return await self._caller.call(
            operations.RELEASE_SYNC_JOB,
            path=(id,),
            body={},
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def revert(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.AcceptedRevert:
        """Brings back the database that a sync job has replaced.

        Swaps the target and the database that the job has replaced. The content of the
        job is kept instead, and a second revert swaps them again. The job must be the
        last replacement of its target, and its `replaced.kept_until` must not have
        passed. The status of the job does not change.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:write`.

        Args:
            id: Id of a sync job.
        """
        return await self._caller.call(
            operations.REVERT_SYNC_JOB,
            path=(id,),
            body={},
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get_revert(
        self,
        id: str,
        revert_id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Revert:
        """Shows a revert of a sync job.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:read`.

        Args:
            id: Id of a sync job.
            revert_id: Id of a revert.
        """
        return await self._caller.call(
            operations.GET_SYNC_JOB_REVERT,
            path=(id, revert_id),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def get_stored_data(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.StoredData:
        """Shows what is stored about a sync job.

        Shows that no row of your databases is stored. `facts` lists what the control
        plane stores about the job. `messages` lists every field that an agent can send
        about a job, with the facts that contain it. The audit log, webhook deliveries,
        the list of private models and the records of refused events repeat some facts.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `jobs:read`.

        Args:
            id: Id of a sync job.
        """
        return await self._caller.call(
            operations.GET_SYNC_JOB_STORED_DATA,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncSnapshots(AsyncResource):
    """The methods of `client.snapshots`."""

    async def list(
        self,
        *,
        status: types.SnapshotStatus | None = None,
        name: str | None = None,
        tables: types.ListSyncJobsTables | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListSnapshotsResult:
        """Lists the snapshots.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `snapshots:read`.

        Args:
            status: Lists only snapshots with this status.
            name: Lists only snapshots whose name contains this text, in upper or lower
                case.
            tables: With `none`, `tables` is empty for every snapshot, which limits the
                size of the response.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_SNAPSHOTS,
            query={
                "status": status,
                "name": name,
                "tables": tables,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        status: types.SnapshotStatus | None = None,
        name: str | None = None,
        tables: types.ListSyncJobsTables | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.ListedSnapshot]:
        """Iterates over the items of all pages of `list`.

        Args:
            status: Lists only snapshots with this status.
            name: Lists only snapshots whose name contains this text, in upper or lower
                case.
            tables: With `none`, `tables` is empty for every snapshot, which limits the
                size of the response.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_SNAPSHOTS,
            query={
                "status": status,
                "name": name,
                "tables": tables,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def create(
        self,
        *,
        name: str,
        database: str,
        tables: Sequence[str] | None = None,
        agent: types.AgentSelector | None = None,
        expires_in_days: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.Snapshot:
        """Takes a snapshot of a database.

        An agent creates the snapshot from one instant of the database, and stores it.
        No row reaches the control plane. The snapshot counts for the plan while it is
        `creating` or `ready`.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `snapshots:write`.

        Args:
            name: Name of the snapshot.
            database: A database from the agent's policy file, or a connection URL. A
                URL is sealed immediately, so that only agents can read it.
            tables: The tables to include, written as in SQL: `t`, `schema.t` or `"Odd
                Schema"."T"`. The default schema is `public`. Partitions are included
                with their parent. Without this field or with an empty array, the
                snapshot contains all tables.
            agent: Selects the agents that may run the work. An agent must match each
                given field. By default, any agent that offers the databases may run the
                work. A connection URL is sealed only to agents that may run the work.
            expires_in_days: Days until the snapshot expires and is erased.
        """
        return await self._caller.call(
            operations.CREATE_SNAPSHOT,
            body={
                "name": name,
                "database": database,
                "tables": tables,
                "agent": agent,
                "expires_in_days": expires_in_days,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Snapshot:
        """Shows a snapshot.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `snapshots:read`.

        Args:
            id: Id of a snapshot.
        """
        return await self._caller.call(
            operations.GET_SNAPSHOT,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def delete(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Deleted:
        """Deletes a snapshot.

        A deleted snapshot cannot be restored and does not count for the plan. Waiting
        restores fail, and a running restore finishes first. A snapshot that is still
        being created is cancelled.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `snapshots:write`.

        Args:
            id: Id of a snapshot.
        """
        return await self._caller.call(
            operations.DELETE_SNAPSHOT,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def restore(
        self,
        id: str,
        /,
        *,
        target_database: str,
        overwrite: bool | None = None,
        agent: types.AgentSelector | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.AcceptedRestore:
        """Restores a snapshot into a database.

        An agent first checks the target within 5 seconds. The response is 409 if the
        target contains tables and `overwrite` is false, or if the target is in use. It
        is 503 if no agent responds in time. In these cases nothing is changed. A
        restore that fails later does not change the target, either.

        Requires the role `member` or a higher one. A token that is limited to scopes
        also needs the scope `snapshots:write`.

        Args:
            id: Id of a snapshot.
            target_database: The target database: a restore target from the agent's
                policy file, or a connection URL. A missing database is created.
            overwrite: Whether a target that contains tables is replaced. The snapshot
                is loaded into a new database, which replaces the target at the end. A
                restore that fails does not change the target.
            agent: Selects the agents that may run the work. An agent must match each
                given field. By default, any agent that offers the databases may run the
                work. A connection URL is sealed only to agents that may run the work.
        """
        return await self._caller.call(
            operations.RESTORE_SNAPSHOT,
            path=(id,),
            body={
                "target_database": target_database,
                "overwrite": overwrite,
                "agent": agent,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def list_restores(
        self,
        id: str,
        /,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListSnapshotRestoresResult:
        """Lists the restores of a snapshot.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `snapshots:read`.

        Args:
            id: Id of a snapshot.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_SNAPSHOT_RESTORES,
            path=(id,),
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate_restores(
        self,
        id: str,
        /,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.Restore]:
        """Iterates over the items of all pages of `list_restores`.

        Args:
            id: Id of a snapshot.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_SNAPSHOT_RESTORES,
            path=(id,),
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def get_restore(
        self,
        id: str,
        restore_id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Restore:
        """Shows a restore.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `snapshots:read`.

        Args:
            id: Id of a snapshot.
            restore_id: Id of a restore.
        """
        return await self._caller.call(
            operations.GET_SNAPSHOT_RESTORE,
            path=(id, restore_id),
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncOrganization(AsyncResource):
    """The methods of `client.organization`."""

    async def get(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Organization:
        """Shows the organisation, its plan and its usage.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `org:read`.
        """
        return await self._caller.call(
            operations.GET_ORGANIZATION,
            timeout=timeout,
            max_retries=max_retries,
        )

    async def change(
        self,
        *,
        plan: types.CallerOrganizationPlan,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Organization:
        """Changes the organisation's plan.

        Limits and quotas of the new plan apply from the next request. Resources beyond
        the quotas of a smaller plan stay, but you cannot add more.

        Requires the role `owner` or a higher one. A token that is limited to scopes
        also needs the scope `org:write`.

        Args:
            plan: The plan, which sets limits and quotas from the next request.
        """
        return await self._caller.call(
            operations.CHANGE_ORGANIZATION,
            body={
                "plan": plan,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def usage(
        self,
        *,
        first_day: str | None = None,
        last_day: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.DailyUsage:
        """Shows the usage of the organisation by day.

        Days are in UTC. Calls of the dashboard and `POST /generate` do not count.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `org:read`.

        Args:
            first_day: First day in UTC, among the last 400 days. Default: 29 days
                before `last_day`.
            last_day: Last day in UTC, at most 91 days after `first_day`. Default:
                today.
        """
        return await self._caller.call(
            operations.GET_USAGE,
            query={
                "first_day": first_day,
                "last_day": last_day,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncMembers(AsyncResource):
    """The methods of `client.members`."""

    async def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListMembersResult:
        """Lists the members.

        The newest members come first. Invited members are included.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `org:read`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_MEMBERS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.Member]:
        """Iterates over the items of all pages of `list`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_MEMBERS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def invite(
        self,
        *,
        email: str,
        role: types.CallerRole,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.InvitedMember:
        """Invites a member.

        You cannot invite a member with a role above your own. If your token is
        restricted to scopes, every token of the new member is restricted to them, too.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `org:write`.

        Args:
            email: E-mail address. Addresses that differ only in the case of ASCII
                letters, in compatibility forms of characters or in invisible characters
                belong to the same member.
            role: The member's role, which cannot be above the caller's own role.
        """
        return await self._caller.call(
            operations.INVITE_MEMBER,
            body={
                "email": email,
                "role": role,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def accept_invitation(
        self,
        *,
        token: str,
        name: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.JoinedMember:
        """Turns an invitation into membership and a first API token.

        An invitation token works once. This operation needs no API token.

        Requires no token.

        Args:
            token: The invitation token, which works once.
            name: The member's name.
        """
        return await self._caller.call(
            operations.ACCEPT_INVITATION,
            body={
                "token": token,
                "name": name,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Member:
        """Shows a member.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `org:read`.

        Args:
            id: Id of a member.
        """
        return await self._caller.call(
            operations.GET_MEMBER,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def change(
        self,
        id: str,
        /,
        *,
        role: types.CallerRole,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Member:
        """Changes a member's role.

        The change applies from the member's next request. The last owner must stay an
        owner. A token that is restricted to scopes can raise only members whose
        `scopes` it covers.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `org:write`.

        Args:
            id: Id of a member.
            role: The member's role, which cannot be above the caller's own role.
        """
        return await self._caller.call(
            operations.CHANGE_MEMBER,
            path=(id,),
            body={
                "role": role,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def remove(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Deleted:
        """Removes a member and revokes the tokens and invitations that the member made.

        Removes the member and revokes the member's tokens. It also revokes the open
        invitations and unused enrolment tokens that the member made. Every token of the
        organisation that the member rotated last is revoked, too. The last owner cannot
        be removed.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `org:write`.

        Args:
            id: Id of a member.
        """
        return await self._caller.call(
            operations.REMOVE_MEMBER,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncTokens(AsyncResource):
    """The methods of `client.tokens`."""

    async def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListTokensResult:
        """Lists the API tokens.

        The newest tokens come first. Expired tokens are included.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `tokens:read`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_TOKENS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.Token]:
        """Iterates over the items of all pages of `list`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_TOKENS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def create(
        self,
        *,
        name: str,
        role: types.CallerRole,
        scopes: Sequence[types.CallerScope] | None = None,
        expires_in_days: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.NewToken:
        """Creates an API token.

        A token that is created with a member's token belongs to that member and ends
        with the membership. You cannot grant more rights than you have.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `tokens:write`.

        Args:
            name: Name of the token. It must differ from the names of the other active
                tokens in more than the case of ASCII letters, compatibility forms,
                spaces and invisible characters.
            role: The role of the token, which cannot be above the caller's own role.
            scopes: Restricts the token to these scopes. Without them, the token may do
                everything that its role may do. `…:write` includes `…:read`.
            expires_in_days: Days until the token expires.
        """
        return await self._caller.call(
            operations.CREATE_TOKEN,
            body={
                "name": name,
                "role": role,
                "scopes": scopes,
                "expires_in_days": expires_in_days,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Token:
        """Shows an API token.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `tokens:read`.

        Args:
            id: Id of an API token.
        """
        return await self._caller.call(
            operations.GET_TOKEN,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def revoke(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Deleted:
        """Revokes an API token.

        The token is refused from the next request.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `tokens:write`.

        Args:
            id: Id of an API token.
        """
        return await self._caller.call(
            operations.REVOKE_TOKEN,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def rotate(
        self,
        id: str,
        /,
        *,
        expires_in_days: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.RotatedToken:
        """Replaces the secret of an API token; the old secret stops working.

        The token keeps its id, role and scopes. Members of any role can rotate their
        own tokens; other tokens need the role admin. Rotating another member's token
        invalidates it without showing a new one. `needs_rotation` is then true until
        that member rotates it with another of their tokens. If the member has no other
        token, remove the member and invite them again.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `tokens:write`.

        Args:
            id: Id of an API token.
            expires_in_days: Days until the token expires.
        """
        return await self._caller.call(
            operations.ROTATE_TOKEN,
            path=(id,),
            body={
                "expires_in_days": expires_in_days,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )


class AsyncAgents(AsyncResource):
    """The methods of `client.agents`."""

    async def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListAgentsResult:
        """Lists the agents.

        Returns all agents, including revoked ones. The most recently enrolled agent
        comes first.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `agents:read`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_AGENTS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.Agent]:
        """Iterates over the items of all pages of `list`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_AGENTS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Agent:
        """Shows an agent.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `agents:read`.

        Args:
            id: Id of an agent.
        """
        return await self._caller.call(
            operations.GET_AGENT,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def revoke(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.RevokedAgent:
        """Revokes an agent permanently.

        A revoked agent gets no further work and no further credentials. If the agent is
        already revoked, nothing changes.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `agents:write`.

        Args:
            id: Id of an agent.
        """
        return await self._caller.call(
            operations.REVOKE_AGENT,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def list_models(
        self,
        id: str,
        /,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListAgentModelsResult:
        """Lists the models that an agent trained.

        The models that were trained last come first. The control plane knows only their
        names and keyed hashes.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        also needs the scope `agents:read`.

        Args:
            id: Id of an agent.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_AGENT_MODELS,
            path=(id,),
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate_models(
        self,
        id: str,
        /,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.AgentModel]:
        """Iterates over the items of all pages of `list_models`.

        Args:
            id: Id of an agent.
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_AGENT_MODELS,
            path=(id,),
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncEnrolmentTokens(AsyncResource):
    """The methods of `client.enrolment_tokens`."""

    async def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListEnrolmentTokensResult:
        """Lists the enrolment tokens.

        Returns all tokens, including used and expired ones. The newest token comes
        first.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `agents:read`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_ENROLMENT_TOKENS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.EnrolmentToken]:
        """Iterates over the items of all pages of `list`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_ENROLMENT_TOKENS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def create(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.NewEnrolmentToken:
        """Creates a token that enrols one agent within an hour.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `agents:write`.
        """
        return await self._caller.call(
            operations.CREATE_ENROLMENT_TOKEN,
            body={},
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.EnrolmentToken:
        """Shows an enrolment token.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `agents:read`.

        Args:
            id: Id of an enrolment token.
        """
        return await self._caller.call(
            operations.GET_ENROLMENT_TOKEN,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def revoke(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Deleted:
        """Revokes an enrolment token.

        An agent that the token enrolled stays enrolled.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `agents:write`.

        Args:
            id: Id of an enrolment token.
        """
        return await self._caller.call(
            operations.REVOKE_ENROLMENT_TOKEN,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncWebhooks(AsyncWebhooksResource):
    """The methods of `client.webhooks`."""

    async def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListWebhooksResult:
        """Lists the webhooks.

        The newest webhooks come first. Disabled webhooks are included.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:read`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_WEBHOOKS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.Webhook]:
        """Iterates over the items of all pages of `list`.

        Args:
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_WEBHOOKS,
            query={
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def create(
        self,
        *,
        url: str,
        events: Sequence[types.WebhookEvent],
        format: types.WebhookFormat | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.WebhookWithSecret:
        """Creates a webhook.

        Each event is sent as a POST of `{id, event, timestamp, data}` or in the chosen
        format, signed with the secret in this response. `X-Service-Signature` is the
        HMAC-SHA256 of the raw body in lower-case hex. The three headers of Standard
        Webhooks are sent, too.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:write`.

        Args:
            url: The URL to which requests are sent: `https://…` or `http://…`, without
                user, password and fragment. Its host must have a public address.
            events: The events that are sent to the webhook.
            format: The form of the bodies. `standard`: the event as JSON. `slack`: a
                message for an incoming webhook of Slack. `teams`: a message with an
                Adaptive Card for a workflow of Microsoft Teams.
        """
        return await self._caller.call(
            operations.CREATE_WEBHOOK,
            body={
                "url": url,
                "events": events,
                "format": format,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def get(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Webhook:
        """Shows a webhook.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:read`.

        Args:
            id: Id of a webhook.
        """
        return await self._caller.call(
            operations.GET_WEBHOOK,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def change(
        self,
        id: str,
        /,
        *,
        url: str | None = None,
        events: Sequence[types.WebhookEvent] | None = None,
        format: types.WebhookFormat | None = None,
        enabled: bool | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Webhook:
        """Changes, disables or enables a webhook.

        Disabling a webhook fails its pending deliveries. Events that occur while it is
        disabled are not sent later.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:write`.

        Args:
            id: Id of a webhook.
            url: The URL to which requests are sent: `https://…` or `http://…`, without
                user, password and fragment. Its host must have a public address.
            events: The events that are sent to the webhook.
            format: The form of the bodies. `standard`: the event as JSON. `slack`: a
                message for an incoming webhook of Slack. `teams`: a message with an
                Adaptive Card for a workflow of Microsoft Teams.
            enabled: `false` disables the webhook. `true` enables it again, also if it
                was disabled because of failures.
        """
        return await self._caller.call(
            operations.CHANGE_WEBHOOK,
            path=(id,),
            body={
                "url": url,
                "events": events,
                "format": format,
                "enabled": enabled,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def delete(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Deleted:
        """Deletes a webhook and its deliveries.

        Deletes a webhook and its deliveries.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:write`.

        Args:
            id: Id of a webhook.
        """
        return await self._caller.call(
            operations.DELETE_WEBHOOK,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def rotate_secret(
        self,
        id: str,
        /,
        *,
        overlap_hours: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.WebhookWithSecret:
        """Replaces the secret of a webhook.

        The new secret signs `X-Service-Signature` immediately. Until the previous
        secret expires, `webhook-signature` contains a signature of each secret.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:write`.

        Args:
            id: Id of a webhook.
            overlap_hours: How long the previous secret signs `webhook-signature` beside
                the new one. With 0 it stops immediately.
        """
        return await self._caller.call(
            operations.ROTATE_WEBHOOK_SECRET,
            path=(id,),
            body={
                "overlap_hours": overlap_hours,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def test(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.WebhookDelivery:
        """Sends a test event to a webhook.

        Sends the test event `{id, event: "webhook.test", timestamp, data:
        {webhook_id}}` in the format of the webhook. The subscriptions of the webhook do
        not matter.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:write`.

        Args:
            id: Id of a webhook.
        """
        return await self._caller.call(
            operations.TEST_WEBHOOK,
            path=(id,),
            body={},
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def list_deliveries(
        self,
        id: str,
        /,
        *,
        status: types.WebhookDeliveryStatus | None = None,
        event: types.ListWebhookDeliveriesEvent | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListWebhookDeliveriesResult:
        """Lists the deliveries of a webhook.

        The newest deliveries come first. The log covers thirty days.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:read`.

        Args:
            id: Id of a webhook.
            status: Lists only deliveries with this status.
            event: Lists only deliveries of this event.
            created_after: Lists only deliveries that were created at this time or later
                (ISO 8601).
            created_before: Lists only deliveries that were created before this time
                (ISO 8601).
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_WEBHOOK_DELIVERIES,
            path=(id,),
            query={
                "status": status,
                "event": event,
                "created_after": created_after,
                "created_before": created_before,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate_deliveries(
        self,
        id: str,
        /,
        *,
        status: types.WebhookDeliveryStatus | None = None,
        event: types.ListWebhookDeliveriesEvent | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.WebhookDelivery]:
        """Iterates over the items of all pages of `list_deliveries`.

        Args:
            id: Id of a webhook.
            status: Lists only deliveries with this status.
            event: Lists only deliveries of this event.
            created_after: Lists only deliveries that were created at this time or later
                (ISO 8601).
            created_before: Lists only deliveries that were created before this time
                (ISO 8601).
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_WEBHOOK_DELIVERIES,
            path=(id,),
            query={
                "status": status,
                "event": event,
                "created_after": created_after,
                "created_before": created_before,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    async def get_delivery(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.WebhookDeliveryWithRequest:
        """Shows a delivery.

        Shows the exact body, and the URL and headers of the newest attempt.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:read`.

        Args:
            id: Id of a delivery.
        """
        return await self._caller.call(
            operations.GET_WEBHOOK_DELIVERY,
            path=(id,),
            timeout=timeout,
            max_retries=max_retries,
        )

    async def resend_delivery(
        self,
        id: str,
        /,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.WebhookDelivery:
        """Sends an event again with the same event id.

        Sends the same event with the same id and body as a new delivery.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:write`.

        Args:
            id: Id of a delivery.
        """
        return await self._caller.call(
            operations.RESEND_WEBHOOK_DELIVERY,
            path=(id,),
            body={},
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )

    async def recover_deliveries(
        self,
        id: str,
        /,
        *,
        since: str,
        until: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        idempotency_key: str | None = None,
    ) -> types.WebhookRecovery:
        """Sends the events of failed deliveries again.

        Sends the events of failed deliveries again, with the same ids and bodies, as
        new deliveries. Each event is sent once, oldest first. Events that were
        delivered to this webhook or are pending are left out. One request sends at most
        1000 events; `has_more` reports whether others remain.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `webhooks:write`.

        Args:
            id: Id of a webhook.
            since: Sends again the failed deliveries that were created at this time or
                later (ISO 8601).
            until: Leaves out deliveries that were created at this time or later (ISO
                8601).
        """
        return await self._caller.call(
            operations.RECOVER_WEBHOOK_DELIVERIES,
            path=(id,),
            body={
                "since": since,
                "until": until,
            },
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )


class AsyncAuditLog(AsyncResource):
    """The methods of `client.audit_log`."""

    async def list(
        self,
        *,
        action: types.AuditEntryAction | None = None,
        actor_id: str | None = None,
        target_id: str | None = None,
        request_id: str | None = None,
        occurred_after: str | None = None,
        occurred_before: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.ListAuditEntriesResult:
        """Lists the entries of the audit log.

        Returns the newest entry first. Entries never change. They are deleted after the
        retention time that the operator configures (two years by default).
        `details.email` is absent if the address of a removed member was erased.

        Requires the role `admin` or a higher one. A token that is limited to scopes
        also needs the scope `audit:read`.

        Args:
            action: Returns only entries of this action.
            actor_id: Returns only changes by this token, member or agent.
            target_id: Returns only changes to the resource with this id.
            request_id: Returns only changes that the request with this id made
                (`meta.request_id` of its response).
            occurred_after: Returns only changes at this time or later (ISO 8601).
            occurred_before: Returns only changes before this time (ISO 8601).
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return await self._caller.call(
            operations.LIST_AUDIT_ENTRIES,
            query={
                "action": action,
                "actor_id": actor_id,
                "target_id": target_id,
                "request_id": request_id,
                "occurred_after": occurred_after,
                "occurred_before": occurred_before,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def iterate(
        self,
        *,
        action: types.AuditEntryAction | None = None,
        actor_id: str | None = None,
        target_id: str | None = None,
        request_id: str | None = None,
        occurred_after: str | None = None,
        occurred_before: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncIterator[types.AuditEntry]:
        """Iterates over the items of all pages of `list`.

        Args:
            action: Returns only entries of this action.
            actor_id: Returns only changes by this token, member or agent.
            target_id: Returns only changes to the resource with this id.
            request_id: Returns only changes that the request with this id made
                (`meta.request_id` of its response).
            occurred_after: Returns only changes at this time or later (ISO 8601).
            occurred_before: Returns only changes before this time (ISO 8601).
            page: Page number; a page past the end is empty.
            per_page: Items per page.
        """
        return self._caller.iterate(
            operations.LIST_AUDIT_ENTRIES,
            query={
                "action": action,
                "actor_id": actor_id,
                "target_id": target_id,
                "request_id": request_id,
                "occurred_after": occurred_after,
                "occurred_before": occurred_before,
                "page": page,
                "per_page": per_page,
            },
            timeout=timeout,
            max_retries=max_retries,
        )


class AsyncResources(AsyncResource):
    """The resources of a client, and the methods that belong to no resource."""

    def __init__(self, caller: AsyncCaller) -> None:
        super().__init__(caller)
        self.models = AsyncModels(caller)
        self.generators = AsyncGenerators(caller)
        self.mock_endpoints = AsyncMockEndpoints(caller)
        self.jobs = AsyncJobs(caller)
        self.snapshots = AsyncSnapshots(caller)
        self.organization = AsyncOrganization(caller)
        self.members = AsyncMembers(caller)
        self.tokens = AsyncTokens(caller)
        self.agents = AsyncAgents(caller)
        self.enrolment_tokens = AsyncEnrolmentTokens(caller)
        self.webhooks = AsyncWebhooks(caller)
        self.audit_log = AsyncAuditLog(caller)

    async def whoami(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> types.Caller:
        """Shows the caller: role, scopes, organisation, member and token.

        Requires the role `viewer` or a higher one. A token that is limited to scopes
        needs no scope.
        """
        return await self._caller.call(
            operations.WHOAMI,
            timeout=timeout,
            max_retries=max_retries,
        )

    async def api_description(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> dict[str, Any]:
        """Describes this API as OpenAPI 3.1.

        The document changes only with the version of the server.

        Requires no token.
        """
        return await self._caller.call(
            operations.GET_API_DESCRIPTION,
            timeout=timeout,
            max_retries=max_retries,
        )
