"""The types of requests and responses.

Written by `npm run generate` from docs/reference/openapi.json. Do not edit.

A response is a dictionary and may contain more fields than its type. A text with known
values may have any other value.
"""

from __future__ import annotations

from typing import Any, BinaryIO, Literal, Mapping, Sequence, TypedDict, Union

__all__ = [
    "AcceptedRestore",
    "AcceptedRevert",
    "Agent",
    "AgentModel",
    "AgentPolicy",
    "AgentPolicyEntries",
    "AgentPolicyMinSslmode",
    "AgentReference",
    "AgentSelector",
    "AgentSnapshotStore",
    "AgentStatus",
    "AuditEntry",
    "AuditEntryAction",
    "AuditEntryActor",
    "AuditEntryActorType",
    "AuditEntryTarget",
    "AuditEntryTargetType",
    "Caller",
    "CallerMember",
    "CallerOrganization",
    "CallerOrganizationPlan",
    "CallerRole",
    "CallerScope",
    "CallerToken",
    "DailyUsage",
    "DailyUsageDay",
    "Database",
    "DatabaseType",
    "DefinedDatabase",
    "DefinedSubset",
    "DefinedSyncJob",
    "DefinedSyncJobLargeObjects",
    "DefinedSyncJobOwners",
    "DefinedSyncJobPrivileges",
    "DefinedSyncJobPublications",
    "DefinedSyncJobReplace",
    "DefinedSyncJobSecurityDefiner",
    "DefinedTable",
    "DeleteSyncJobResult",
    "Deleted",
    "EnrolmentToken",
    "EnrolmentTokenStatus",
    "Failure",
    "FieldProblem",
    "File",
    "GenerateResult",
    "GenerateSchema",
    "Generator",
    "GetModelResult",
    "InstallLines",
    "InvitedMember",
    "JoinedMember",
    "LatencyRange",
    "ListAgentModelsResult",
    "ListAgentsResult",
    "ListAuditEntriesResult",
    "ListEnrolmentTokensResult",
    "ListGeneratorsResult",
    "ListMembersResult",
    "ListMockEndpointsResult",
    "ListModelsResult",
    "ListModelsResultModel",
    "ListModelsType",
    "ListSnapshotRestoresResult",
    "ListSnapshotsResult",
    "ListSyncJobTablesSort",
    "ListSyncJobsResult",
    "ListSyncJobsSort",
    "ListSyncJobsTables",
    "ListTokensResult",
    "ListWebhookDeliveriesEvent",
    "ListWebhookDeliveriesResult",
    "ListWebhooksResult",
    "ListedGenerator",
    "ListedMockEndpoint",
    "ListedSnapshot",
    "ListedSyncJob",
    "ListedSyncJobPrediction",
    "ListedSyncJobProgress",
    "ListedSyncJobProgressBuildItem",
    "Member",
    "MemberStatus",
    "MockEndpoint",
    "MockEndpointAuth",
    "MockEndpointMethod",
    "MockEndpointWarning",
    "MockResponse",
    "MockResponseRequest",
    "ModelKind",
    "ModelTokenType",
    "ModelType",
    "NewEnrolmentToken",
    "NewToken",
    "Organization",
    "OrganizationUsage",
    "OrganizationWarning",
    "Restore",
    "Revert",
    "RevertError",
    "RevokedAgent",
    "RotatedToken",
    "RunningWork",
    "RunningWorkType",
    "Snapshot",
    "SnapshotProgress",
    "SnapshotProgressPhase",
    "SnapshotStatus",
    "SnapshotWarning",
    "StoredData",
    "StoredDataEnum",
    "StoredDataEnumValue",
    "StoredDataMessage",
    "StoredFact",
    "StoredFactOrigin",
    "SyncJob",
    "SyncJobAttempt",
    "SyncJobAttemptOutcome",
    "SyncJobAttemptPhase",
    "SyncJobDefinition",
    "SyncJobError",
    "SyncJobGenerator",
    "SyncJobLeftOut",
    "SyncJobLink",
    "SyncJobModel",
    "SyncJobOrphans",
    "SyncJobPhase",
    "SyncJobPrediction",
    "SyncJobPredictionProblem",
    "SyncJobPredictionTable",
    "SyncJobProgress",
    "SyncJobProgressBuildItem",
    "SyncJobProgressBuildItemPhase",
    "SyncJobProgressBuildItemStatus",
    "SyncJobProgressPhase",
    "SyncJobReplaced",
    "SyncJobReplacedLastRevert",
    "SyncJobReplacedLastRevertError",
    "SyncJobReplacedLastRevertStatus",
    "SyncJobRowCounts",
    "SyncJobStatus",
    "SyncJobSubset",
    "SyncJobTable",
    "SyncJobTableCounts",
    "SyncJobTablePage",
    "SyncJobTableProgress",
    "SyncJobTableProgressStatus",
    "SyncJobUnlistedColumns",
    "SyncJobUnlistedTables",
    "SyncJobVerification",
    "SyncJobVerificationCheck",
    "SyncJobVerificationCheckCheck",
    "SyncJobWarning",
    "TableRequest",
    "TableRows",
    "TableSubset",
    "Token",
    "UploadedModel",
    "UploadedModelType",
    "UsageCount",
    "Webhook",
    "WebhookDelivery",
    "WebhookDeliveryRequest",
    "WebhookDeliveryStatus",
    "WebhookDeliveryTry",
    "WebhookDeliveryTryError",
    "WebhookDeliveryWithRequest",
    "WebhookDisabledReason",
    "WebhookEvent",
    "WebhookFormat",
    "WebhookRecovery",
    "WebhookStatus",
    "WebhookWithSecret",
    "WireField",
    "WireFieldKind",
]

# The bytes of a file, or an open binary file.
File = Union[bytes, BinaryIO]

ModelType = Union[
    Literal["builtin", "custom", "private"],
    str,
]

ModelKind = Union[
    Literal["ngram", "list", "composition"],
    str,
]

ModelTokenType = Union[
    Literal["char", "word"],
    str,
]

UploadedModelType = Union[
    Literal["builtin", "custom"],
    str,
]

MockEndpointMethod = Union[
    Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
    str,
]

MockEndpointAuth = Union[
    Literal["none", "token"],
    str,
]

SyncJobStatus = Union[
    Literal["pending", "running", "completed", "failed"],
    str,
]

SyncJobProgressPhase = Union[
    Literal["preflight", "training", "copying", "indexing", "verifying", "switching"],
    str,
]

SyncJobProgressBuildItemPhase = Union[
    Literal["objects", "rows", "indexes", "keys", "views", "swap"],
    str,
]

SyncJobProgressBuildItemStatus = Union[
    Literal["pending", "running", "completed"],
    str,
]

SyncJobUnlistedColumns = Union[
    Literal["preserve", "reject", "null"],
    str,
]

SyncJobUnlistedTables = Union[
    Literal["reject", "warn", "ignore"],
    str,
]

SyncJobOrphans = Union[
    Literal["fail", "skip", "not_valid"],
    str,
]

SyncJobTableProgressStatus = Union[
    Literal["pending", "copying", "indexing", "verifying", "completed"],
    str,
]

SyncJobVerificationCheckCheck = Union[
    Literal[
        "row_count",
        "preserved_columns",
        "nulled_columns",
        "masked_columns",
        "joins",
        "foreign_keys",
        "sequences",
        "other",
    ],
    str,
]

SyncJobAttemptOutcome = Union[
    Literal["completed", "failed", "connection_lost", "returned"],
    str,
]

SyncJobReplacedLastRevertStatus = Union[
    Literal["pending", "completed", "failed"],
    str,
]

DefinedSyncJobReplace = Union[
    Literal["tables", "database"],
    str,
]

DefinedSyncJobSecurityDefiner = Union[
    Literal["invoker", "keep"],
    str,
]

DefinedSyncJobLargeObjects = Union[
    Literal["fail", "skip", "copy"],
    str,
]

DefinedSyncJobPrivileges = Union[
    Literal["target", "source", "none"],
    str,
]

DefinedSyncJobOwners = Union[
    Literal["target", "source"],
    str,
]

DefinedSyncJobPublications = Union[
    Literal["none", "source"],
    str,
]

StoredFactOrigin = Union[
    Literal["request", "agent", "control_plane"],
    str,
]

WireFieldKind = Union[
    Literal["number", "hash", "flag", "choice", "text", "time", "message"],
    str,
]

SnapshotStatus = Union[
    Literal["creating", "ready", "failed", "expired", "deleting"],
    str,
]

SnapshotProgressPhase = Union[
    Literal["preflight", "dumping", "finishing"],
    str,
]

CallerRole = Union[
    Literal["viewer", "member", "admin", "owner"],
    str,
]

CallerScope = Union[
    Literal[
        "generate",
        "models:read",
        "models:write",
        "generators:read",
        "generators:write",
        "endpoints:read",
        "endpoints:write",
        "jobs:read",
        "jobs:write",
        "snapshots:read",
        "snapshots:write",
        "agents:read",
        "agents:write",
        "org:read",
        "org:write",
        "webhooks:read",
        "webhooks:write",
        "tokens:read",
        "tokens:write",
        "audit:read",
    ],
    str,
]

CallerOrganizationPlan = Union[
    Literal["free", "starter", "team", "business"],
    str,
]

MemberStatus = Union[
    Literal["invited", "active"],
    str,
]

AgentStatus = Union[
    Literal["live", "away", "revoked"],
    str,
]

RunningWorkType = Union[
    Literal["sync_job", "snapshot", "restore"],
    str,
]

AgentSnapshotStore = Union[
    Literal["none", "folder", "bucket"],
    str,
]

AgentPolicyMinSslmode = Union[
    Literal["require", "verify_ca", "verify_full"],
    str,
]

EnrolmentTokenStatus = Union[
    Literal["unused", "used", "expired"],
    str,
]

WebhookEvent = Union[
    Literal[
        "sync.started",
        "sync.completed",
        "sync.failed",
        "sync.reverted",
        "sync.revert_failed",
        "snapshot.created",
        "snapshot.failed",
        "snapshot.restored",
        "restore.failed",
        "agent.away",
        "agent.back",
    ],
    str,
]

WebhookFormat = Union[
    Literal["standard", "slack", "teams"],
    str,
]

WebhookStatus = Union[
    Literal["enabled", "disabled"],
    str,
]

WebhookDisabledReason = Union[
    Literal["failing", "gone", "manual"],
    str,
]

WebhookDeliveryStatus = Union[
    Literal["pending", "delivered", "failed"],
    str,
]

WebhookDeliveryTryError = Union[
    Literal[
        "http_status",
        "timeout",
        "address_refused",
        "dns_failed",
        "connection_failed",
        "tls_failed",
        "invalid_response",
        "secret_unreadable",
    ],
    str,
]

AuditEntryAction = Union[
    Literal[
        "organization.created",
        "organization.plan_changed",
        "token.created",
        "token.rotated",
        "token.revoked",
        "token.sign_in_refused",
        "member.invited",
        "member.joined",
        "member.role_changed",
        "member.removed",
        "member.forgotten",
        "member.account_linked",
        "member.sign_in_refused",
        "enrolment_token.created",
        "enrolment_token.revoked",
        "agent.enrolled",
        "agent.revoked",
        "sync_job.created",
        "model.uploaded",
        "model.deleted",
        "generator.registered",
        "generator.deleted",
        "mock_endpoint.created",
        "mock_endpoint.deleted",
        "sync_job.cancelled",
        "sync_job.deleted",
        "sync_job.released",
        "sync_job.reverted",
        "webhook.created",
        "webhook.changed",
        "webhook.secret_rotated",
        "webhook.disabled",
        "webhook.recovered",
        "webhook.deleted",
        "snapshot.created",
        "snapshot.restored",
        "snapshot.deleted",
        "session.opened",
        "session.ended",
        "session.all_ended",
        "sign_in_link.created",
        "sign_in_link.refused",
    ],
    str,
]

AuditEntryActorType = Union[
    Literal["token", "member", "agent", "command_line", "server"],
    str,
]

AuditEntryTargetType = Union[
    Literal[
        "organization",
        "token",
        "member",
        "enrolment_token",
        "agent",
        "sync_job",
        "model",
        "generator",
        "mock_endpoint",
        "webhook",
        "snapshot",
        "session",
        "sign_in_link",
    ],
    str,
]

ListModelsType = Union[
    Literal["builtin", "custom", "private", "all"],
    str,
]

ListSyncJobsSort = Union[
    Literal["created_at", "-created_at", "name", "-name", "status", "-status"],
    str,
]

ListSyncJobsTables = Union[
    Literal["all", "none"],
    str,
]

DatabaseType = Union[
    Literal["postgresql", "postgres"],
    str,
]

TableRows = Union[
    Literal["preserve", "none"],
    str,
]

ListSyncJobTablesSort = Union[
    Literal[
        "position",
        "-position",
        "name",
        "-name",
        "rows_processed",
        "-rows_processed",
        "rows_total",
        "-rows_total",
        "bytes_processed",
        "-bytes_processed",
        "bytes_total",
        "-bytes_total",
        "bytes_remaining",
        "-bytes_remaining",
    ],
    str,
]

ListWebhookDeliveriesEvent = Union[
    Literal[
        "sync.started",
        "sync.completed",
        "sync.failed",
        "sync.reverted",
        "sync.revert_failed",
        "snapshot.created",
        "snapshot.failed",
        "snapshot.restored",
        "restore.failed",
        "agent.away",
        "agent.back",
        "webhook.test",
    ],
    str,
]


class GenerateResult(TypedDict):
    records: list[dict[str, Any]]
    """The records. Their keys are the names in `output`."""
    count: int
    seed: int
    """The seed from the request, or the one that the server chose."""


class ListModelsResult(TypedDict):
    models: list[ListModelsResultModel]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class _ListModelsResultModelRequired(TypedDict):
    id: str
    """`<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model."""
    name: str
    """Display name as given in the upload."""
    type: ModelType
    """Whether the model is part of the product or was uploaded."""
    kind: ModelKind
    """The kind of the model."""


class ListModelsResultModel(_ListModelsResultModelRequired, total=False):
    locale: str
    """Locale of the model: `<lang>_<REGION>`."""
    ngram_order: int | None
    """N-gram order; null for a list of values and for a composition."""
    created_at: str
    """When the model was uploaded. A fixed date for a built-in model."""
    token_type: ModelTokenType | None
    """Token kind; null for a list of values and for a composition."""
    hash: str
    """HMAC of the model with a key that never leaves the agent."""
    agent_id: str
    """The agent that trained and stores the model."""
    trained_at: str
    """When the model was last trained."""


class UploadedModel(TypedDict):
    id: str
    """`<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model."""
    name: str
    """Display name as given in the upload."""
    locale: str
    """Locale of the model: `<lang>_<REGION>`."""
    type: UploadedModelType
    """Whether the model is part of the product or was uploaded."""
    ngram_order: int
    """N-gram order."""
    created_at: str
    """When the model was uploaded. A fixed date for a built-in model."""


class _GetModelResultRequired(TypedDict):
    id: str
    """`<locale>/<name>` for a built-in model, `custom/<name>` for an uploaded model."""
    name: str
    """Display name as given in the upload."""
    type: ModelType
    """Whether the model is part of the product or was uploaded."""
    kind: ModelKind
    """The kind of the model."""


class GetModelResult(_GetModelResultRequired, total=False):
    locale: str
    """Locale of the model: `<lang>_<REGION>`."""
    ngram_order: int | None
    """N-gram order; null for a list of values and for a composition."""
    created_at: str
    """When the model was uploaded. A fixed date for a built-in model."""
    token_type: ModelTokenType | None
    """Token kind; null for a list of values and for a composition."""
    description: str | None
    """Description as given in the upload."""
    licence: str
    """SPDX expression of the licence of the training data; may be empty."""
    source: str
    """Origin of the training data; may be empty."""
    modes: list[str]
    """Generation modes that the model supports. An uploaded model does not support
    `real_word`.
    """
    constraints: list[str]
    """Top-level constraints that the model supports. An uploaded model does not support
    `exclude_originals`.
    """
    keys: list[str] | None
    """The lists of a map of lists. A generator of the type `list` selects one with
    `key`. Null for any other model.
    """
    distinct_values: int | None
    """Number of distinct training values."""
    total_weight: float | None
    """Sum of the weights of all training values."""
    min_values: int | None
    """The model contains only patterns that at least this many distinct values share. 1
    keeps all patterns.
    """
    novel_mass: float | None
    """Probability that a freely generated word is not one of the training values."""
    effective_values: float | None
    """Number of equally likely values that would have the same variety."""
    distinct_capacity: float | None
    """Number of distinct values that `unique` can generate before it is exhausted."""
    token_count: int | None
    """Number of training tokens; null for a list of values and for a composition."""
    ngram_count: int | None
    """Number of distinct n-grams; null for a list of values and for a composition."""
    updated_at: str
    """When the model was last changed."""
    hash: str
    """HMAC of the model with a key that never leaves the agent."""
    agent_id: str
    """The agent that trained and stores the model."""
    trained_at: str
    """When the model was last trained."""


class Deleted(TypedDict):
    deleted: bool
    id: str
    """Id of the deleted resource."""


class ListGeneratorsResult(TypedDict):
    generators: list[ListedGenerator]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class ListedGenerator(TypedDict):
    id: str
    """`name@version`."""
    name: str
    """`@<namespace>/<package>:<name>`, the value of `use` in definitions."""
    version: str
    """Semantic version."""
    description: str
    output: str
    """Kind of the generated values."""
    created_at: str
    """Time of registration."""


class Generator(TypedDict):
    id: str
    """`name@version`."""
    name: str
    """`@<namespace>/<package>:<name>`, the value of `use` in definitions."""
    version: str
    """Semantic version."""
    description: str
    output: str
    """Kind of the generated values."""
    created_at: str
    """Time of registration."""
    definition: dict[str, Any]
    """The definition as it was registered."""
    hash: str
    """SHA-256 of the definition, which agents verify."""
    versions: list[str]
    """All versions of the composition, the highest first."""


class ListMockEndpointsResult(TypedDict):
    endpoints: list[ListedMockEndpoint]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class ListedMockEndpoint(TypedDict):
    id: str
    """Id of the mock endpoint, which cannot be guessed."""
    path: str
    """The path as given in the request."""
    method: MockEndpointMethod
    """The method of the endpoint."""
    url: str
    """URL of the endpoint: `{mock_url}/<id><path>`."""
    requests_today: int
    """Calls since the start of the current UTC day. The number is up to two seconds
    old.
    """
    created_at: str
    """When the endpoint was created."""
    auth: MockEndpointAuth
    """`token`: calls need an API token of the organisation."""
    schema: str
    """Name of the schema, `<id>.schema.json`. `GET` of a single endpoint returns the
    schema itself.
    """


class MockEndpoint(TypedDict):
    id: str
    """Id of the mock endpoint, which cannot be guessed."""
    path: str
    """The path as given in the request."""
    method: MockEndpointMethod
    """The method of the endpoint."""
    url: str
    """URL of the endpoint: `{mock_url}/<id><path>`."""
    requests_today: int
    """Calls since the start of the current UTC day. The number is up to two seconds
    old.
    """
    created_at: str
    """When the endpoint was created."""
    auth: MockEndpointAuth
    """`token`: calls need an API token of the organisation."""
    schema: dict[str, Any]
    """The schema as given in the request."""
    response: MockResponse
    warnings: list[MockEndpointWarning]
    """Settings that have no effect, or possibly another one than their author intended.
    An earlier version may have accepted more. The creation also returns those of the
    definition in `meta.warnings`.
    """


class MockResponse(TypedDict):
    """The response of the endpoint, with all defaults filled in."""

    count: int
    wrapper: Any
    status: int
    headers: dict[str, str]
    latency_ms: int | LatencyRange
    fail_rate: float


class LatencyRange(TypedDict):
    min: int
    max: int


class MockEndpointWarning(TypedDict):
    code: str | str
    field: str
    """Path of the setting."""
    message: str


class ListSyncJobsResult(TypedDict):
    jobs: list[ListedSyncJob]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class ListedSyncJob(TypedDict):
    id: str
    """Id of the job."""
    name: str
    status: SyncJobStatus
    """Status of the job. It stays `running` during retries."""
    source: str
    """Source database. A URL is shown without its password."""
    target: str
    """Target database. A URL is shown without its password."""
    tables: list[str]
    """Table names as written in the request. Empty with `tables=none`."""
    table_count: int
    """Number of tables."""
    rows_processed: int
    """Number of copied rows of all tables."""
    created_at: str
    """When the request was accepted."""
    started_at: str | None
    """When an agent first started the job; null before."""
    completed_at: str | None
    """When the job ended, also if it failed; null before."""
    agent_id: str | None
    """The agent of the last attempt."""
    error_code: str | None
    """Stable code of the error that the job failed with; null otherwise."""
    cancel_requested_at: str | None
    """When the job was cancelled by a request; null otherwise. An agent without contact
    receives the request when it is back.
    """
    dry_run: bool
    """Whether the job only runs checks and copies nothing."""
    prediction: ListedSyncJobPrediction | None
    """Outcome of a completed dry run; null otherwise."""
    progress: ListedSyncJobProgress | None
    """Progress of a running job; null for any other job."""


class ListedSyncJobPrediction(TypedDict):
    ok: bool
    """Whether no problem was found."""
    problem_count: int
    """Number of problems, including those that no list contains."""


class ListedSyncJobProgress(TypedDict):
    """Progress of all tables. The agent reports it at most once a second."""

    phase: SyncJobProgressPhase | None
    """The current phase. Null while no agent works on the job."""
    rows_done: int
    """Copied rows of all tables."""
    rows_total: int | None
    """Rows to copy. An estimate until all rows are copied."""
    bytes_done: int
    """Copied bytes, as sent to the target."""
    bytes_total: int | None
    """Bytes to copy. An estimate until all rows are copied."""
    rows_per_second: int | None
    """Rows per second: of the last seconds while rows are copied, and of the whole copy
    after completion. Null otherwise.
    """
    bytes_per_second: int | None
    """Bytes per second, like `rows_per_second`."""
    estimated_end: str | None
    """Estimated time at which all rows are copied. Indexing and verification follow.
    Null while it is unknown.
    """
    build: list[ListedSyncJobProgressBuildItem] | None
    """The phases of a job that builds a database, in their order. Null before the first
    one, unless an agent works on the job, and if its version does not report them.
    """


class ListedSyncJobProgressBuildItem(TypedDict):
    phase: SyncJobProgressBuildItemPhase
    """`objects`: definitions before the rows. `indexes`: tables whose indexes are
    built, and tables that are analyzed. `keys`: foreign keys, and then other
    definitions such as triggers. `views`: materialized views, and then row security and
    event triggers. `swap`: owners, privileges and the names of both databases.
    """
    status: SyncJobProgressBuildItemStatus
    """Status of the phase."""
    done: int
    """Completed steps of the phase; copied rows of `rows`."""
    total: int | None
    """Number of all steps or rows. Null while it is unknown, and if an earlier attempt
    has completed the phase.
    """
    estimated_end: str | None
    """Estimated end of the phase. Null unless the phase is running, and while there is
    no estimate.
    """


class SyncJob(TypedDict):
    id: str
    """Id of the job."""
    name: str
    status: SyncJobStatus
    """Status of the job. It stays `running` during retries."""
    source: str
    """Source database. A URL is shown without its password."""
    target: str
    """Target database. A URL is shown without its password."""
    tables: list[str]
    """Table names as written in the request. Empty with `tables=none`."""
    table_count: int
    """Number of tables."""
    rows_processed: int
    """Number of copied rows of all tables."""
    created_at: str
    """When the request was accepted."""
    started_at: str | None
    """When an agent first started the job; null before."""
    completed_at: str | None
    """When the job ended, also if it failed; null before."""
    agent_id: str | None
    """The agent of the last attempt."""
    error_code: str | None
    """Stable code of the error that the job failed with; null otherwise."""
    cancel_requested_at: str | None
    """When the job was cancelled by a request; null otherwise. An agent without contact
    receives the request when it is back.
    """
    dry_run: bool
    """Whether the job only runs checks and copies nothing."""
    run_of: str | None
    """The job that this one repeats. It may have been deleted."""
    seed: int
    """Random seed."""
    now: str
    """Reference instant of relative dates."""
    unlisted_columns: SyncJobUnlistedColumns
    """What happens to columns without a rule."""
    progress: SyncJobProgress
    """Progress of all tables. The agent reports it at most once a second."""
    unlisted_tables: SyncJobUnlistedTables
    """What happens to tables of the source that the request neither lists nor ignores.
    """
    refresh_materialized_views: bool
    """Whether materialized views of the target that depend on replaced tables are
    refreshed.
    """
    source_code: str | None
    """What happens to parts of missing tables that call functions of the source; null
    if the policy of the agent decides.
    """
    orphans: SyncJobOrphans
    """What happens to rows that break a foreign key between tables of the job."""
    subset: list[SyncJobSubset]
    """Tables with a subset. All rows of the other tables are requested."""
    table_counts: SyncJobTableCounts
    """Number of tables with each status."""
    table_progress: list[SyncJobTableProgress]
    phases: list[SyncJobPhase]
    """Durations of the phases of the successful attempt. Empty until the job has
    completed. Indexes are built while copied rows are verified. This shared time counts
    as `verifying`, and only the rest of indexing counts as `indexing`.
    """
    verification: SyncJobVerification | None
    """The checks of the copy before the target changes. Null before these checks, and
    if the job failed before them.
    """
    attempt_history: list[SyncJobAttempt]
    """The newest attempts, oldest first, including those that lost only their
    connection. Attempts from before an upgrade to this version are missing.
    """
    attempts: int
    """Number of attempts. An attempt that lost only its connection does not count."""
    agent: AgentReference | None
    """The selected agents; null if any agent that offers the databases may run the
    work.
    """
    link: SyncJobLink | None
    """The connection to the agent that has the job; null if no agent has it."""
    models: list[SyncJobModel]
    """Models that the job trained, and uploaded models that it uses."""
    generators: list[SyncJobGenerator]
    """Registered compositions that the job uses, in the versions that it was accepted
    with.
    """
    prediction: SyncJobPrediction | None
    """Result of a completed dry run; null otherwise."""
    replaced: SyncJobReplaced | None
    """The database that the job has replaced and that is kept. Null if there is none.
    """
    left_out: SyncJobLeftOut | None
    """Numbers of objects of the source that the target does not have after the job, or
    would not have after the job of a dry run. Partitions and objects of extensions do
    not count. Null if no agent has counted them. Only the log of the agent has their
    names.
    """
    error: SyncJobError | None
    """Why the job failed; null unless it failed."""
    warnings: list[SyncJobWarning]


class SyncJobProgress(TypedDict):
    """Progress of all tables. The agent reports it at most once a second."""

    phase: SyncJobProgressPhase | None
    """The current phase. Null while no agent works on the job."""
    rows_done: int
    """Copied rows of all tables."""
    rows_total: int | None
    """Rows to copy. An estimate until all rows are copied."""
    bytes_done: int
    """Copied bytes, as sent to the target."""
    bytes_total: int | None
    """Bytes to copy. An estimate until all rows are copied."""
    rows_per_second: int | None
    """Rows per second: of the last seconds while rows are copied, and of the whole copy
    after completion. Null otherwise.
    """
    bytes_per_second: int | None
    """Bytes per second, like `rows_per_second`."""
    estimated_end: str | None
    """Estimated time at which all rows are copied. Indexing and verification follow.
    Null while it is unknown.
    """
    build: list[SyncJobProgressBuildItem] | None
    """The phases of a job that builds a database, in their order. Null before the first
    one, unless an agent works on the job, and if its version does not report them.
    """


class SyncJobProgressBuildItem(TypedDict):
    phase: SyncJobProgressBuildItemPhase
    """`objects`: definitions before the rows. `indexes`: tables whose indexes are
    built, and tables that are analyzed. `keys`: foreign keys, and then other
    definitions such as triggers. `views`: materialized views, and then row security and
    event triggers. `swap`: owners, privileges and the names of both databases.
    """
    status: SyncJobProgressBuildItemStatus
    """Status of the phase."""
    done: int
    """Completed steps of the phase; copied rows of `rows`."""
    total: int | None
    """Number of all steps or rows. Null while it is unknown, and if an earlier attempt
    has completed the phase.
    """
    estimated_end: str | None
    """Estimated end of the phase. Null unless the phase is running, and while there is
    no estimate.
    """


class SyncJobSubset(TypedDict):
    name: str
    """Name of the table as written in the request."""
    where_length: int | None
    """Length of the `where` in characters; null without a `where`. The condition itself
    is not shown.
    """
    limit: int | None
    """The `limit`; null without one."""


class SyncJobTableCounts(TypedDict):
    """Number of tables with each status."""

    pending: int
    """Tables with the status `pending`."""
    copying: int
    """Tables with the status `copying`."""
    indexing: int
    """Tables with the status `indexing`."""
    verifying: int
    """Tables with the status `verifying`."""
    completed: int
    """Tables with the status `completed`."""


class SyncJobTableProgress(TypedDict):
    name: str
    """Name of the table as written in the request."""
    status: SyncJobTableProgressStatus
    """Status of the table."""
    rows_processed: int
    """Number of copied rows."""
    rows_total: int | None
    """Rows to copy. An estimate until all rows are copied; null until the agent has
    inspected the table.
    """
    bytes_processed: int
    """Bytes of the copied rows, as sent to the target."""
    bytes_total: int | None
    """The size of the source table. After all rows are copied, the value of
    `bytes_processed`.
    """


class SyncJobPhase(TypedDict):
    phase: SyncJobProgressPhase
    """The phase of the job."""
    seconds: float


class SyncJobVerification(TypedDict):
    ok: bool
    """Whether all checks succeeded."""
    checks: list[SyncJobVerificationCheck]
    """The checks of all tables. An agent omits successful checks beyond 40,000."""


class SyncJobVerificationCheck(TypedDict):
    check: SyncJobVerificationCheckCheck
    """What was checked."""
    table: str
    ok: bool
    column: str | None
    """The column of a failed check; null otherwise."""
    looked_at: int | None
    """Number of checked columns, keys or sequences; null for a count of rows."""
    rows: SyncJobRowCounts | None
    """Row counts of the check `row_count`; null otherwise."""


class SyncJobRowCounts(TypedDict):
    source: int
    """Rows in the source's snapshot."""
    copied: int
    """Rows that the committed chunks copied."""
    target: int
    """Rows in the staged table before the switch."""


class SyncJobAttempt(TypedDict):
    number: int
    """Number of the attempt, from 1."""
    agent_id: str | None
    """The agent that got the job."""
    started_at: str
    """When the agent got the job."""
    ended_at: str | None
    """When the attempt ended; null while the agent has the job."""
    outcome: SyncJobAttemptOutcome | None
    """How the attempt ended; null while the agent has the job."""
    error_code: str | None
    """Code of the error that ended the attempt. Null without an error, and if the agent
    restarted.
    """
    phases: list[SyncJobAttemptPhase]
    """Phases that the agent reported. It reports at most once a second."""


class SyncJobAttemptPhase(TypedDict):
    phase: SyncJobProgressPhase
    """The phase of the job."""
    started_at: str
    """When the agent first reported this phase."""
    ended_at: str | None
    """When the agent reported the next phase, or the attempt ended; null for the
    current phase.
    """


class AgentReference(TypedDict):
    id: str | None
    """Id of the agent."""
    name: str | None
    """Name of the agent."""
    labels: list[str]
    """The agent must have all of these labels."""


class SyncJobLink(TypedDict):
    last_heard_at: str | None
    """When the agent last reported that it works on the job; null before the first
    report.
    """
    grace_period_seconds: int
    """The grace period: how much longer than usual the agent keeps the job without
    contact. 0 if another agent could run the job when this agent got it.
    """
    held_until: str
    """When another agent can get the job if this agent does not report again."""
    snapshot_taken_at: str | None
    """Since when the agent has held a snapshot of the source, which prevents VACUUM
    from removing old rows there. Null if it holds none.
    """


class SyncJobModel(TypedDict):
    name: str
    """Id of the model: `private/<name>` or `custom/<name>`."""
    hash: str


class SyncJobGenerator(TypedDict):
    name: str
    """Id of the composition: `name@version`."""
    hash: str


class SyncJobPrediction(TypedDict):
    ok: bool
    """Whether no problem was found."""
    problem_count: int
    """Number of problems, including those that no list contains."""
    problems: list[SyncJobPredictionProblem]
    """Problems that would fail a run; at most 100."""
    tables: list[SyncJobPredictionTable]
    """Tables that could be inspected."""


class SyncJobPredictionProblem(TypedDict):
    code: str
    """Stable code, as in `error`."""
    message: str
    details: list[FieldProblem]
    """Details, as in `error`."""


class FieldProblem(TypedDict):
    field: str
    message: str


class SyncJobPredictionTable(TypedDict):
    name: str
    rows_expected: int | None
    """Expected rows, rounded to two significant digits; null for fewer than ten."""


class SyncJobReplaced(TypedDict):
    kept_until: str
    """Until when the replaced database is kept, unless the target is replaced again."""
    reverted_at: str | None
    """When the target got back the content that it had before the job; null while it
    has that of the job.
    """
    last_revert: SyncJobReplacedLastRevert | None
    """The newest revert of the job. Null if there is none."""


class SyncJobReplacedLastRevert(TypedDict):
    revert_id: str
    """Id of the revert."""
    status: SyncJobReplacedLastRevertStatus
    """Status of the revert."""
    error: SyncJobReplacedLastRevertError | None
    """Why the revert failed; null unless it failed. Both databases are then as they
    were before.
    """


class SyncJobReplacedLastRevertError(TypedDict):
    code: str
    """Stable error code."""
    message: str


class SyncJobLeftOut(TypedDict):
    tables: int
    """Ordinary and partitioned tables."""
    foreign_tables: int
    """Foreign tables."""
    views: int
    """Views."""
    materialized_views: int
    """Materialized views."""
    functions: int
    """Functions, procedures and aggregates."""
    types: int
    """Types, without those that belong to a table or to another type."""
    sequences: int
    """Sequences, without those of columns."""
    schemas: int
    """Schemas."""
    extensions: int
    """Extensions."""


class SyncJobError(TypedDict):
    code: str
    """Stable error code."""
    message: str
    details: list[FieldProblem]
    """Problems that the agent's checks found before it copied a row, each with its path
    in the request. For a missing privilege, the message contains the SQL that grants
    it.
    """


class _SyncJobWarningRequired(TypedDict):
    code: str
    message: str


class SyncJobWarning(_SyncJobWarningRequired, total=False):
    field: str
    """Path in the request; only for `constraint_not_applied`."""


class _DeleteSyncJobResultRequired(TypedDict):
    id: str
    """Id of the job."""
    cancelled: bool
    deleted: bool


class DeleteSyncJobResult(_DeleteSyncJobResultRequired, total=False):
    status: SyncJobStatus
    """Status at the time of the response."""


class SyncJobDefinition(TypedDict):
    definition: DefinedSyncJob
    """A request for `POST /v1/sync/jobs`, without its withheld parts."""
    withheld: list[str]
    """Paths of the parts that are null in `definition`, such as
    `source.connection_string`, `tables[3].subset.where` and `tables[0].columns.status`.
    Empty if the definition is complete.
    """


class _DefinedSyncJobRequired(TypedDict):
    name: str
    source: DefinedDatabase
    """The database to read."""
    target: DefinedDatabase
    """The database to write."""
    tables: list[DefinedTable]
    unlisted_columns: SyncJobUnlistedColumns
    """What happens to columns without a rule."""
    dry_run: bool
    """Whether the job only runs checks."""
    seed: int
    """Random seed, also if the control plane chose it."""
    now: str
    """Reference instant of relative dates, also if the control plane chose it."""


class DefinedSyncJob(_DefinedSyncJobRequired, total=False):
    """A request for `POST /v1/sync/jobs`, without its withheld parts."""

    agent: AgentSelector
    """The selected agents; absent if the request selected none."""
    unlisted_tables: SyncJobUnlistedTables
    """What happens to tables of the source that the request does not name."""
    ignored_tables: list[str]
    """The tables that are left out on purpose."""
    refresh_materialized_views: bool
    """Whether dependent materialized views of the target are refreshed."""
    source_code: str
    """What happens to parts of missing tables that call functions of the source."""
    orphans: SyncJobOrphans
    """What happens to rows that break a foreign key between tables of the job."""
    replace: DefinedSyncJobReplace
    """What the job replaces: the listed tables, or the whole database."""
    drop_target_only: bool
    """Whether the job may drop objects that only the target has."""
    security_definer: DefinedSyncJobSecurityDefiner
    """What happens to functions that are SECURITY DEFINER."""
    large_objects: DefinedSyncJobLargeObjects
    """What happens to large objects of the source."""
    privileges: DefinedSyncJobPrivileges
    """The privileges on the objects of the new database."""
    owners: DefinedSyncJobOwners
    """The owners of the objects of the new database."""
    publications: DefinedSyncJobPublications
    """The publications of the new database."""
    end_sessions: bool
    """Whether the job ends the sessions that use the replaced database."""
    tablespaces: DefinedSyncJobPublications
    """The tablespaces of tables and indexes of the new database."""
    exclude_schemas: list[str]
    """The schemas of the source that the new database does not get."""
    exclude_tables: list[str]
    """The tables of the source that the new database does not get."""
    skip_objects: list[str]
    """Patterns of other objects that the new database does not get."""
    keep_replaced_hours: int
    """For how long the replaced database is kept beside the new one, so that a revert
    can bring it back. With 0, it is dropped. The policy of the agent can lower the
    value. The next replacement of the target drops it earlier.
    """


class DefinedDatabase(TypedDict):
    """The database to read."""

    type: str
    connection_string: str | None
    """`agent:<name>`; null for a URL, which is withheld."""


class AgentSelector(TypedDict, total=False):
    """Selects the agents that may run the work. An agent must match each given field.
    By default, any agent that offers the databases may run the work. A connection URL
    is sealed only to agents that may run the work.
    """

    id: str
    """Id of the agent. The control plane assigns ids; names and labels are chosen by
    the person who configures the agent.
    """
    name: str
    """Name of the agent, as shown by `GET /v1/agents`. Several agents may have the same
    name.
    """
    labels: list[str]
    """Labels of the agent (`UNDERSTUDY_AGENT_LABELS`). The agent must have all of them.
    """


class _DefinedTableRequired(TypedDict):
    name: str
    columns: dict[str, Any]
    """Column name → column rule. A withheld rule is null."""


class DefinedTable(_DefinedTableRequired, total=False):
    unlisted_columns: SyncJobUnlistedColumns
    """What happens to columns of this table without a rule."""
    rows: str
    """`none` if the table is created without rows. Such tables are the last ones."""
    subset: DefinedSubset


class DefinedSubset(TypedDict, total=False):
    where: Any
    """Null, because conditions are withheld; absent without one."""
    limit: int


class SyncJobTablePage(TypedDict):
    tables: list[SyncJobTable]
    revision: int
    """Number that grows with every change of a table of the job. Pass it as
    `changed_since` to get the later changes. If you read several pages, use the
    `revision` of the first one.
    """
    total: int
    """Number of tables that match the filter."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class SyncJobTable(TypedDict):
    position: int
    """Index of the table in the request, from 0."""
    name: str
    """Name of the table as written in the request."""
    status: SyncJobTableProgressStatus
    """Status of the table."""
    rows_processed: int
    """Number of copied rows."""
    rows_total: int | None
    """Rows to copy. An estimate until all rows are copied; null until the agent has
    inspected the table.
    """
    bytes_processed: int
    """Bytes of the copied rows, as sent to the target."""
    bytes_total: int | None
    """The size of the source table. After all rows are copied, the value of
    `bytes_processed`.
    """


class AcceptedRevert(TypedDict):
    id: str
    """Id of the sync job."""
    revert_id: str
    """Id of the revert."""
    status: SyncJobReplacedLastRevertStatus
    """Status of the revert."""


class Revert(TypedDict):
    id: str
    """Id of the sync job."""
    revert_id: str
    """Id of the revert."""
    status: SyncJobReplacedLastRevertStatus
    """Status of the revert."""
    created_at: str
    """When the request was accepted."""
    ended_at: str | None
    """When the revert ended; null while it is pending."""
    error: RevertError | None
    """Why the revert failed; null unless it failed. Both databases are then as they
    were before.
    """


class RevertError(TypedDict):
    code: str
    """Stable error code."""
    message: str


class StoredData(TypedDict):
    facts: list[StoredFact]
    """Everything that is stored about the job."""
    messages: list[StoredDataMessage]
    """Every message that an agent can send about a job."""
    enums: list[StoredDataEnum]
    """The values of each field of the kind `choice`."""


class StoredFact(TypedDict):
    path: str
    """Path of the fact in the job. Facts that a job does not show have a path of their
    own.
    """
    origin: StoredFactOrigin
    """The source of the fact: your request, an agent, or the control plane."""
    description: str
    """Meaning of the fact."""
    value_count: int | None
    """Number of stored values. Null if the values are not shown."""
    values: list[str] | None
    """The first 20 distinct values as text, each of at most 500 characters. Null if the
    values are not shown, because they can contain what you wrote in the request.
    """


class StoredDataMessage(TypedDict):
    name: str
    """Name of the message."""
    description: str
    """Comment of the schema. Empty if it has none."""
    fields: list[WireField]


class WireField(TypedDict):
    name: str
    """Name of the field."""
    type: str
    """Type of the field: a scalar type of protobuf, a message or an enum."""
    kind: WireFieldKind
    """Kind of the values. Only `text` can hold text."""
    repeated: bool
    """Whether the field is a list."""
    description: str
    """Comment of the schema. Empty if it has none."""
    reviewed: str | None
    """Reason why the field can contain nothing from a row. Null for fields whose type
    needs no review.
    """
    stored_in: list[str]
    """Paths of the facts that contain the field. Empty for nested messages and for what
    is not stored.
    """


class StoredDataEnum(TypedDict):
    name: str
    """Name of the enum."""
    values: list[StoredDataEnumValue]


class StoredDataEnumValue(TypedDict):
    name: str
    """Name of the value."""
    description: str
    """Comment of the schema. Empty if it has none."""


class ListSnapshotsResult(TypedDict):
    snapshots: list[ListedSnapshot]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class ListedSnapshot(TypedDict):
    id: str
    """Id of the snapshot."""
    name: str
    database: str
    """Name of the database, never a URL."""
    status: SnapshotStatus
    """Only a `ready` snapshot can be restored. A snapshot is `deleting` until an agent
    has erased it, and is not found afterwards.
    """
    size_bytes: int
    """Stored size, after compression and encryption. 0 until the snapshot is ready."""
    tables: list[str]
    """The requested tables as written in the request. For a snapshot of all tables, the
    tables that it contains, after it is ready. The agent's policy can hide these names.
    """
    created_at: str
    """When the request was accepted."""
    expires_at: str
    """When the snapshot expires and is erased."""


class Snapshot(TypedDict):
    id: str
    """Id of the snapshot."""
    name: str
    database: str
    """Name of the database, never a URL."""
    status: SnapshotStatus
    """Only a `ready` snapshot can be restored. A snapshot is `deleting` until an agent
    has erased it, and is not found afterwards.
    """
    size_bytes: int
    """Stored size, after compression and encryption. 0 until the snapshot is ready."""
    tables: list[str]
    """The requested tables as written in the request. For a snapshot of all tables, the
    tables that it contains, after it is ready. The agent's policy can hide these names.
    """
    created_at: str
    """When the request was accepted."""
    expires_at: str
    """When the snapshot expires and is erased."""
    started_at: str | None
    """When an agent first started the work; null before."""
    completed_at: str | None
    """When the work ended, also if it failed; null before."""
    attempts: int
    """Number of attempts."""
    agent: AgentReference | None
    """The selected agents; null if any agent that offers the databases may run the
    work.
    """
    agent_id: str | None
    """The agent of the last attempt."""
    error: Failure | None
    """Why the work failed; null unless it failed."""
    table_count: int | None
    """Number of tables in the snapshot; null until it is ready."""
    server_version: int | None
    """`server_version_num` of the source database's server. The snapshot cannot be
    restored into an older server.
    """
    progress: SnapshotProgress
    """Progress of the current attempt, or of the last one."""
    warnings: list[SnapshotWarning]


class Failure(TypedDict):
    code: str
    """Stable error code."""
    message: str


class SnapshotProgress(TypedDict):
    """Progress of the current attempt, or of the last one."""

    phase: SnapshotProgressPhase | None
    """The current phase. Null while no agent works on it."""
    tables_done: int
    """Tables that are finished."""
    tables_total: int | None
    """All tables. Null until the agent has counted them."""
    bytes_done: int
    """Bytes of rows that are finished, before compression."""
    bytes_total: int | None
    """All bytes of rows, before compression. An estimate until the work is finished."""


class SnapshotWarning(TypedDict):
    code: str
    message: str


class AcceptedRestore(TypedDict):
    id: str
    """Id of the snapshot."""
    restore_id: str
    """Id of the restore."""
    target_database: str
    """Name of the target database, never a URL."""
    status: SyncJobStatus
    """Status of the restore. It stays `running` during retries."""


class ListSnapshotRestoresResult(TypedDict):
    restores: list[Restore]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class Restore(TypedDict):
    id: str
    """Id of the snapshot."""
    restore_id: str
    """Id of the restore."""
    target_database: str
    """Name of the target database, never a URL."""
    status: SyncJobStatus
    """Status of the restore. It stays `running` during retries."""
    started_at: str | None
    """When an agent first started the work; null before."""
    completed_at: str | None
    """When the work ended, also if it failed; null before."""
    attempts: int
    """Number of attempts."""
    agent: AgentReference | None
    """The selected agents; null if any agent that offers the databases may run the
    work.
    """
    agent_id: str | None
    """The agent of the last attempt."""
    error: Failure | None
    """Why the work failed; null unless it failed."""
    overwrite: bool
    progress: SnapshotProgress
    """Progress of the current attempt, or of the last one."""
    created_at: str
    """When the request was accepted."""


class Caller(TypedDict):
    role: CallerRole
    """The lower one of the token's role and the role of the member who owns it."""
    scopes: list[CallerScope] | None
    """The scopes to which the token is restricted. Null: everything that the role may
    do.
    """
    organization: CallerOrganization
    """The organisation of the token."""
    member: CallerMember | None
    """The member who owns the token; null for a token of the organisation."""
    token: CallerToken | None
    """The token of the request; null for a session of the dashboard."""


class CallerOrganization(TypedDict):
    """The organisation of the token."""

    id: str
    """Id of the organisation."""
    name: str
    plan: CallerOrganizationPlan
    """The plan, which sets limits and quotas."""


class CallerMember(TypedDict):
    id: str
    """Id of the member."""
    email: str


class CallerToken(TypedDict):
    id: str
    """Id of the token."""
    name: str
    expires_at: str
    """When the token expires."""


class Organization(TypedDict):
    id: str
    """Id of the organisation."""
    name: str
    plan: CallerOrganizationPlan
    """The plan, which sets limits and quotas."""
    members: int
    """Number of members, including invited ones."""
    usage: OrganizationUsage
    billing_cycle_end: str
    """When the month ends and its counts restart."""
    warnings: list[OrganizationWarning]
    """Problems that a member of the organisation should check."""


class OrganizationUsage(TypedDict):
    sync_jobs: UsageCount
    """Jobs that were created this month. Failed jobs count; dry runs do not."""
    endpoints: UsageCount
    """Current number of mock endpoints."""
    snapshots: UsageCount
    """Current number of snapshots."""
    api_calls: UsageCount
    """Calls of this month, without `POST /generate`. The number is at most 10 seconds
    old.
    """


class UsageCount(TypedDict):
    """Jobs that were created this month. Failed jobs count; dry runs do not."""

    used: int
    """Usage of this month, or the current number."""
    limit: int
    """Limit of the plan."""


class OrganizationWarning(TypedDict):
    code: str
    """Stable code of the warning."""
    message: str
    webhook_id: str
    """The webhook that the warning is about."""


class DailyUsage(TypedDict):
    first_day: str
    """First day of the range."""
    last_day: str
    """Last day of the range."""
    days: list[DailyUsageDay]
    """Every day of the range, oldest first."""


class DailyUsageDay(TypedDict):
    day: str
    """A day in UTC."""
    api_calls: int
    """Calls that count for the plan. The number is at most 10 seconds old."""
    sync_jobs: int
    """Jobs that were created. Failed and deleted jobs count; dry runs do not."""
    mock_calls: int
    """Calls of mock endpoints. The number is up to two seconds old."""


class ListMembersResult(TypedDict):
    members: list[Member]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class Member(TypedDict):
    id: str
    """Id of the member."""
    email: str
    """The address as written in the invitation."""
    name: str | None
    """Null until the member sets a name."""
    role: CallerRole
    """Role of the member. Each role includes the ones before it."""
    scopes: list[CallerScope] | None
    """Every token of the member is restricted to these scopes. Null: everything that
    the role may do.
    """
    status: MemberStatus
    """`active` after the member has accepted the invitation."""
    invited_at: str
    """When the member was invited."""
    joined_at: str | None
    """When the member accepted the invitation; null before."""


class _InvitedMemberRequired(TypedDict):
    id: str
    """Id of the member."""
    email: str
    """The address as written in the invitation."""
    name: str | None
    """Null until the member sets a name."""
    role: CallerRole
    """Role of the member. Each role includes the ones before it."""
    scopes: list[CallerScope] | None
    """Every token of the member is restricted to these scopes. Null: everything that
    the role may do.
    """
    status: MemberStatus
    """`active` after the member has accepted the invitation."""
    invited_at: str
    """When the member was invited."""
    joined_at: str | None
    """When the member accepted the invitation; null before."""
    invitation_expires_at: str
    """When the invitation expires."""


class InvitedMember(_InvitedMemberRequired, total=False):
    invitation_token: str
    """The token for the invited person. Only this response shows it."""


class JoinedMember(TypedDict):
    id: str
    """Id of the member."""
    email: str
    """The address as written in the invitation."""
    name: str | None
    """Null until the member sets a name."""
    role: CallerRole
    """Role of the member. Each role includes the ones before it."""
    scopes: list[CallerScope] | None
    """Every token of the member is restricted to these scopes. Null: everything that
    the role may do.
    """
    status: MemberStatus
    """`active` after the member has accepted the invitation."""
    invited_at: str
    """When the member was invited."""
    joined_at: str | None
    """When the member accepted the invitation; null before."""
    organization_id: str
    """The organisation that the member joined."""
    api_token_id: str
    """Id of the first API token."""
    api_token: str
    """The member's first API token. Only this response shows it."""
    api_token_expires_at: str
    """When the token expires."""


class ListTokensResult(TypedDict):
    tokens: list[Token]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class Token(TypedDict):
    id: str
    """Id of the token. It is not secret."""
    name: str
    role: CallerRole
    """The role of the token, which cannot be above the role of its member."""
    scopes: list[CallerScope] | None
    """Scopes to which the token is restricted. Null: everything that the role may do.
    """
    hint: str
    """The first characters of the token."""
    member_id: str | None
    """The member who owns the token; null for a token of the organisation."""
    needs_rotation: bool
    """True if another member rotated the token, which invalidated it. It works again
    after the member who owns it has rotated it.
    """
    created_at: str
    """When the token was created."""
    expires_at: str
    """When the token expires."""
    last_used_at: str | None
    """When the token was last used, exact to the minute. Null if it was never used."""


class _NewTokenRequired(TypedDict):
    id: str
    """Id of the token. It is not secret."""
    name: str
    role: CallerRole
    """The role of the token, which cannot be above the role of its member."""
    scopes: list[CallerScope] | None
    """Scopes to which the token is restricted. Null: everything that the role may do.
    """
    hint: str
    """The first characters of the token."""
    member_id: str | None
    """The member who owns the token; null for a token of the organisation."""
    needs_rotation: bool
    """True if another member rotated the token, which invalidated it. It works again
    after the member who owns it has rotated it.
    """
    created_at: str
    """When the token was created."""
    expires_at: str
    """When the token expires."""
    last_used_at: str | None
    """When the token was last used, exact to the minute. Null if it was never used."""


class NewToken(_NewTokenRequired, total=False):
    token: str
    """The API token. Only this response shows it."""


class _RotatedTokenRequired(TypedDict):
    id: str
    """Id of the token. It is not secret."""
    name: str
    role: CallerRole
    """The role of the token, which cannot be above the role of its member."""
    scopes: list[CallerScope] | None
    """Scopes to which the token is restricted. Null: everything that the role may do.
    """
    hint: str
    """The first characters of the token."""
    member_id: str | None
    """The member who owns the token; null for a token of the organisation."""
    needs_rotation: bool
    """True if another member rotated the token, which invalidated it. It works again
    after the member who owns it has rotated it.
    """
    created_at: str
    """When the token was created."""
    expires_at: str
    """When the token expires."""
    last_used_at: str | None
    """When the token was last used, exact to the minute. Null if it was never used."""


class RotatedToken(_RotatedTokenRequired, total=False):
    token: str
    """The API token. Only this response shows it. It is missing if the token belongs to
    another member.
    """


class ListAgentsResult(TypedDict):
    agents: list[Agent]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class Agent(TypedDict):
    id: str
    """Id of the agent."""
    name: str
    status: AgentStatus
    """`live`: the agent sent a heartbeat within the last 15 seconds."""
    last_seen_at: str | None
    """Time of the last heartbeat; null if there was none."""
    version: str | None
    """Version of the program; null before the first heartbeat."""
    labels: list[str]
    """Labels by which jobs can select the agent, in addition to id and name."""
    databases: list[str]
    """Databases in the agent's policy. Jobs refer to them as `agent:<name>`."""
    masking_key_fingerprint: str | None
    """Keyed hash of the masking key, which does not reveal the key. Agents with the
    same fingerprint mask the same way. Null before the first heartbeat.
    """
    slots: int | None
    """Number of jobs, snapshots and restores that the agent runs concurrently. Null for
    agents that do not report it.
    """
    free_slots: int
    """Number of slots that were free at the last heartbeat. 0 if the disk of the agent
    is almost full.
    """
    running: list[RunningWork]
    """Work that the agent holds, the oldest first. At most 64 entries."""
    snapshot_store: AgentSnapshotStore | None
    """Kind of storage for snapshots. Null before the first heartbeat, and for agents
    that do not report it.
    """
    policy: AgentPolicy | None
    """Summary of the agent's policy file. It contains no pattern, URL or name. Null for
    agents that do not report it.
    """
    enrolled_at: str
    """Time of the enrolment."""
    last_started_at: str | None
    """Time at which the current process of the agent started; null before the first
    start.
    """
    last_conflict_at: str | None
    """Time at which the control plane last refused a process of this agent because a
    newer process uses its identity; null if that never happened. It means that the
    state folder was used twice, for example on a copied machine.
    """


class RunningWork(TypedDict):
    type: RunningWorkType
    """Kind of the work."""
    id: str
    """Id of the sync job, the snapshot or the restore."""
    leased_at: str
    """Time at which the agent got the work."""
    held_until: str
    """Time until which no other agent gets the work. Each heartbeat extends it."""


class AgentPolicy(TypedDict):
    databases: AgentPolicyEntries
    urls: AgentPolicyEntries
    min_sslmode: AgentPolicyMinSslmode | None
    """Minimum encryption of connections to other machines. Null if this version of the
    control plane does not know the value.
    """
    allow_plaintext: bool
    """Whether a connection string may turn encryption off."""
    never_preserve_count: int
    """Number of patterns for columns that no job may preserve."""
    protect_text: bool
    """Whether no job may preserve a column that can hold text, except columns of
    `may_preserve`.
    """
    may_preserve_count: int
    """Number of patterns for text columns that jobs may preserve."""
    reject_unlisted: bool
    """Whether each table of a job must have `unlisted_columns: "reject"`."""
    allow_where: bool
    """Whether a job may select rows with `where`."""
    allow_training: bool
    """Whether a job may train private models."""
    min_values_floor: int
    """Smallest `min_values` of a rule that trains a model."""
    snapshot_min_age_hours: int
    """Age in hours below which the agent does not delete a snapshot."""
    keep_replaced_hours: int
    """Time in hours for which a restore with `overwrite` keeps the replaced database.
    """
    report_names: bool
    """Whether reports of the agent may contain names from the catalogs of databases."""
    allow_shared_schemas: bool
    """Whether a target may evaluate rows with functions of schemas in which other roles
    may create objects.
    """
    allow_source_code: bool | None
    """Null for an agent of an earlier version, which always creates them."""
    allow_superuser_target: bool | None
    """Null for an agent of an earlier version, which does not check the role."""
    allow_security_definer: bool
    """Whether functions may stay SECURITY DEFINER if a job replaces a database."""
    allow_large_objects: bool
    """Whether a job that replaces a database may copy large objects."""
    allow_foreign_servers: bool
    """Whether a job that replaces a database may create foreign servers and tables."""
    allow_end_sessions: bool
    """Whether a job may end the sessions in a database that it replaces."""
    max_database_bytes: int | None
    """Null without a limit."""


class AgentPolicyEntries(TypedDict):
    """Number of entries in the lists `databases` or `urls` of an agent's policy."""

    total: int
    """Number of entries."""
    source: int
    """Number of entries that jobs may copy from."""
    target: int
    """Number of entries that jobs may copy to."""
    snapshot: int
    """Number of entries that snapshots may be created from."""
    restore: int
    """Number of entries that snapshots may be restored into."""
    replace: int
    """Number of entries that jobs may replace as a whole."""


class RevokedAgent(TypedDict):
    id: str
    """Id of the agent."""
    name: str
    status: AgentStatus
    """`live`: the agent sent a heartbeat within the last 15 seconds."""
    last_seen_at: str | None
    """Time of the last heartbeat; null if there was none."""
    version: str | None
    """Version of the program; null before the first heartbeat."""
    labels: list[str]
    """Labels by which jobs can select the agent, in addition to id and name."""
    databases: list[str]
    """Databases in the agent's policy. Jobs refer to them as `agent:<name>`."""
    masking_key_fingerprint: str | None
    """Keyed hash of the masking key, which does not reveal the key. Agents with the
    same fingerprint mask the same way. Null before the first heartbeat.
    """
    slots: int | None
    """Number of jobs, snapshots and restores that the agent runs concurrently. Null for
    agents that do not report it.
    """
    free_slots: int
    """Number of slots that were free at the last heartbeat. 0 if the disk of the agent
    is almost full.
    """
    running: list[RunningWork]
    """Work that the agent holds, the oldest first. At most 64 entries."""
    snapshot_store: AgentSnapshotStore | None
    """Kind of storage for snapshots. Null before the first heartbeat, and for agents
    that do not report it.
    """
    policy: AgentPolicy | None
    """Summary of the agent's policy file. It contains no pattern, URL or name. Null for
    agents that do not report it.
    """
    enrolled_at: str
    """Time of the enrolment."""
    last_started_at: str | None
    """Time at which the current process of the agent started; null before the first
    start.
    """
    last_conflict_at: str | None
    """Time at which the control plane last refused a process of this agent because a
    newer process uses its identity; null if that never happened. It means that the
    state folder was used twice, for example on a copied machine.
    """
    deleted: bool


class ListEnrolmentTokensResult(TypedDict):
    enrolment_tokens: list[EnrolmentToken]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class EnrolmentToken(TypedDict):
    id: str
    """Id of the token. It is not a secret."""
    status: EnrolmentTokenStatus
    """Only an `unused` token can enrol an agent."""
    created_at: str
    """Time of creation."""
    expires_at: str
    """Time at which the token expires."""
    used_at: str | None
    """Time at which the token was used; null while unused."""
    agent_id: str | None
    """Id of the agent that the token enrolled; null while unused."""


class _NewEnrolmentTokenRequired(TypedDict):
    id: str
    """Id of the token. It is not a secret."""
    status: EnrolmentTokenStatus
    """Only an `unused` token can enrol an agent."""
    created_at: str
    """Time of creation."""
    expires_at: str
    """Time at which the token expires."""
    used_at: str | None
    """Time at which the token was used; null while unused."""
    agent_id: str | None
    """Id of the agent that the token enrolled; null while unused."""
    install: InstallLines


class NewEnrolmentToken(_NewEnrolmentTokenRequired, total=False):
    token: str
    """The enrolment token. It is shown only in this response."""


class InstallLines(TypedDict):
    """Shell commands that install the agent from the files of the release, in their
    order. Stop at the first that fails. They contain no token.
    """

    npm: list[str]
    """For npm and systemd. The folder contains `policy.yaml`. The second command asks
    for the enrolment token.
    """
    container: list[str]
    """For Docker, or Podman with the name `docker`. The folder contains `policy.yaml`.
    The second command reads the enrolment token from standard input.
    """
    helm: list[str]
    """For Helm. The folder contains `values.yaml`. The first command reads the
    enrolment token from standard input.
    """


class ListAgentModelsResult(TypedDict):
    models: list[AgentModel]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class AgentModel(TypedDict):
    id: str
    """Id of the model: `private/<name>`."""
    name: str
    hash: str
    """HMAC of the model with a key that never leaves the agent."""
    agent_id: str
    """The agent that trained and stores the model."""
    trained_at: str
    """When the model was last trained."""


class ListWebhooksResult(TypedDict):
    webhooks: list[Webhook]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class Webhook(TypedDict):
    id: str
    """Id of the webhook."""
    url: str
    """The URL to which requests are sent."""
    events: list[WebhookEvent]
    format: WebhookFormat
    """The form of the bodies. `standard`: the event as JSON. `slack`: a message for an
    incoming webhook of Slack. `teams`: a message with an Adaptive Card for a workflow
    of Microsoft Teams.
    """
    status: WebhookStatus
    """A disabled webhook receives no requests."""
    disabled_reason: WebhookDisabledReason | None
    """Why the webhook is disabled; null while it is enabled."""
    disabled_at: str | None
    """When the webhook was disabled; null while it is enabled."""
    failing_since: str | None
    """Time from which on every attempt has failed; null after a success."""
    previous_secret_expires_at: str | None
    """Time at which the previous secret stops signing requests; null without a previous
    secret.
    """
    created_at: str
    """When the webhook was created."""
    updated_at: str
    """When the webhook was last changed."""


class _WebhookWithSecretRequired(TypedDict):
    id: str
    """Id of the webhook."""
    url: str
    """The URL to which requests are sent."""
    events: list[WebhookEvent]
    format: WebhookFormat
    """The form of the bodies. `standard`: the event as JSON. `slack`: a message for an
    incoming webhook of Slack. `teams`: a message with an Adaptive Card for a workflow
    of Microsoft Teams.
    """
    status: WebhookStatus
    """A disabled webhook receives no requests."""
    disabled_reason: WebhookDisabledReason | None
    """Why the webhook is disabled; null while it is enabled."""
    disabled_at: str | None
    """When the webhook was disabled; null while it is enabled."""
    failing_since: str | None
    """Time from which on every attempt has failed; null after a success."""
    previous_secret_expires_at: str | None
    """Time at which the previous secret stops signing requests; null without a previous
    secret.
    """
    created_at: str
    """When the webhook was created."""
    updated_at: str
    """When the webhook was last changed."""


class WebhookWithSecret(_WebhookWithSecretRequired, total=False):
    secret: str
    """The secret that signs requests. Only this response shows it."""


class WebhookDelivery(TypedDict):
    id: str
    """Id of the delivery."""
    webhook_id: str
    """Id of the webhook."""
    event_id: str
    """The header `webhook-id` of the requests. It is the same for every attempt and for
    a resent event.
    """
    event: str
    """Kind of the event."""
    status: WebhookDeliveryStatus
    """`failed`: the last attempt failed, or the webhook was disabled."""
    attempts: int
    """Number of attempts."""
    tries: list[WebhookDeliveryTry]
    """The newest twenty attempts, oldest first."""
    next_attempt_at: str | None
    """When the next attempt is planned; null if none is."""
    created_at: str
    """When the delivery was created."""
    delivered_at: str | None
    """When the receiver accepted the delivery; null before."""
    resend_of: str | None
    """The delivery that this one repeats; null for an original delivery."""


class WebhookDeliveryTry(TypedDict):
    at: str
    """When the attempt started."""
    status_code: int | None
    """HTTP status of the receiver's response; null without a response."""
    error: WebhookDeliveryTryError | None
    """Why the attempt failed; null for a successful attempt."""
    duration_ms: int
    """Duration of the attempt in milliseconds."""


class ListWebhookDeliveriesResult(TypedDict):
    deliveries: list[WebhookDelivery]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class WebhookDeliveryWithRequest(TypedDict):
    id: str
    """Id of the delivery."""
    webhook_id: str
    """Id of the webhook."""
    event_id: str
    """The header `webhook-id` of the requests. It is the same for every attempt and for
    a resent event.
    """
    event: str
    """Kind of the event."""
    status: WebhookDeliveryStatus
    """`failed`: the last attempt failed, or the webhook was disabled."""
    attempts: int
    """Number of attempts."""
    tries: list[WebhookDeliveryTry]
    """The newest twenty attempts, oldest first."""
    next_attempt_at: str | None
    """When the next attempt is planned; null if none is."""
    created_at: str
    """When the delivery was created."""
    delivered_at: str | None
    """When the receiver accepted the delivery; null before."""
    resend_of: str | None
    """The delivery that this one repeats; null for an original delivery."""
    payload: str
    """The exact body of the newest attempt, or of the first one if there was none. The
    signatures cover these bytes.
    """
    last_request: WebhookDeliveryRequest | None
    """The request of the newest attempt; null before the first attempt, or if the
    secret could not be read.
    """


class WebhookDeliveryRequest(TypedDict):
    url: str
    """The URL of the webhook at the time of the attempt."""
    headers: dict[str, str]
    """All headers with their signatures, except `Host` and `Connection`."""


class WebhookRecovery(TypedDict):
    resent: int
    """Number of events that are sent again."""
    has_more: bool
    """Whether failed deliveries remain. Send the request again to send them."""


class ListAuditEntriesResult(TypedDict):
    entries: list[AuditEntry]
    total: int
    """Number of items on all pages."""
    page: int
    """Value from the request, or its default."""
    per_page: int
    """Value from the request, or its default."""


class AuditEntry(TypedDict):
    id: str
    occurred_at: str
    """Time of the change."""
    action: AuditEntryAction
    """The change that was made."""
    actor: AuditEntryActor
    target: AuditEntryTarget
    request_id: str | None
    """Id of the request; null for the command line and the server."""
    details: dict[str, Any]
    """Names, roles and ids, but never a secret."""


class AuditEntryActor(TypedDict):
    type: AuditEntryActorType
    """Type of the actor that made the change."""
    id: str | None
    """Id of the actor; null for the command line and the server."""
    member_id: str | None
    """Member who owns the token; null for tokens of the organisation."""


class AuditEntryTarget(TypedDict):
    type: AuditEntryTargetType
    """Type of the changed resource."""
    id: str


class GenerateSchema(TypedDict):
    """Generators by name, and the names of those that become the keys of each record,
    in order. See docs/reference/generators.md for all generators.
    """

    generators: Mapping[str, Any]
    """Generator definitions by name: `{type, …}`, `{use, params}` or an inline
    composition.
    """
    output: Sequence[str]
    """Names of generators, in order."""


class MockResponseRequest(TypedDict, total=False):
    """The response of the endpoint."""

    count: int
    """Number of records in a response. A caller can request another number with
    `?count=`, up to 1,000. The limits of `POST /generate` apply, and a response has at
    most 8 MiB.
    """
    wrapper: Any
    """The body of the response: JSON whose strings are templates. A string that is one
    whole expression, such as `{{records}}` or `{{count}}`, keeps the type of its value.
    `params` holds the parameters of the path. By default, the body is the array of
    records.
    """
    status: int
    """Status of the response. Redirects (300 to 399) are refused."""
    headers: Mapping[str, str]
    """Additional headers of the response. Headers that control encoding, access or
    browser behaviour are refused.
    """
    latency_ms: int | LatencyRange
    """Delay of the response in milliseconds: a fixed number, or a range from which each
    call gets a random delay.
    """
    fail_rate: float
    """Share of the calls that fail with status 500, from 0 to 1."""


class Database(TypedDict):
    """The database to read. Every transaction on it is read-only."""

    type: DatabaseType
    """Kind of database."""
    connection_string: str
    """A database from the agent's configuration (`agent:<name>`), or a URL
    `postgresql://user:password@host:5432/database`. A URL is sealed immediately, so
    that only agents can read it. It is always shown without its password.
    """


class _TableRequestRequired(TypedDict):
    name: str
    """Name of the table, written as in SQL: `t`, `schema.t` or `"Odd Schema"."T"`. The
    default schema is `public`.
    """


class TableRequest(_TableRequestRequired, total=False):
    rows: TableRows
    """The decision about a table whose columns have no rules. `preserve` copies all
    rows unchanged; `columns` is then the list of all columns. `none` creates the table
    without rows, and the table is not part of the progress. Requires `replace`:
    `database`.
    """
    columns: Mapping[str, Mapping[str, Any]] | Sequence[str]
    """With `rows`: `preserve`, the list of the columns. Otherwise column name → column
    rule: `{generator: <model id>}`, `{generator: "template", pattern}`, a generator
    definition, `{json: {<path>: <rule>}}` for values inside json and jsonb columns, or
    `{preserve: true}`. Modifiers: `unique`, `nullable`, `transform`, `constraints`,
    `differs`, `consistent`. `differs: true` needs a rule with at least 20 distinct
    values, or 1,000 on a column that the policy of the agent protects. `consistent:
    true` gives equal originals equal new values, which preserves joins but reveals
    frequencies.
    """
    unlisted_columns: SyncJobUnlistedColumns
    """What happens to columns of this table without a rule. The default is the value of
    the job.
    """
    subset: TableSubset
    """The rows to copy: `where`, `limit` or both. Rows to which these rows refer are
    copied, too, from any listed table. In a table without a subset, rows that refer to
    a row that is not copied are omitted.
    """


class TableSubset(TypedDict, total=False):
    """The rows to copy: `where`, `limit` or both. Rows to which these rows refer are
    copied, too, from any listed table. In a table without a subset, rows that refer to
    a row that is not copied are omitted.
    """

    where: str
    """A condition on the table's own columns, at most 4,096 bytes. It can use `=`,
    `<>`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL, AND, OR, NOT,
    parentheses and literals, but no functions, subqueries or other tables. The agent's
    policy must allow the condition.
    """
    limit: int
    """Maximum number of rows: the first matching rows, ordered by primary key."""
