"""The operations of the API.

Written by `npm run generate` from docs/reference/openapi.json. Do not edit.
"""

from __future__ import annotations

from typing import Any

from .._core.request import Operation
from . import types

GENERATE: Operation[types.GenerateResult] = Operation(
    id="generate",
    method="POST",
    path="/generate",
)

LIST_MODELS: Operation[types.ListModelsResult] = Operation(
    id="listModels",
    method="GET",
    path="/models",
    items="models",
)

UPLOAD_MODEL: Operation[types.UploadedModel] = Operation(
    id="uploadModel",
    method="POST",
    path="/models",
    idempotency_key=True,
    multipart=True,
)

GET_MODEL: Operation[types.GetModelResult] = Operation(
    id="getModel",
    method="GET",
    path="/models/{id}",
)

DELETE_MODEL: Operation[types.Deleted] = Operation(
    id="deleteModel",
    method="DELETE",
    path="/models/{id}",
)

DOWNLOAD_MODEL: Operation[bytes] = Operation(
    id="downloadModel",
    method="GET",
    path="/models/{id}/content",
    enveloped=False,
    file=True,
)

LIST_GENERATORS: Operation[types.ListGeneratorsResult] = Operation(
    id="listGenerators",
    method="GET",
    path="/generators",
    items="generators",
)

REGISTER_GENERATOR: Operation[types.Generator] = Operation(
    id="registerGenerator",
    method="POST",
    path="/generators",
    idempotency_key=True,
)

GET_GENERATOR: Operation[types.Generator] = Operation(
    id="getGenerator",
    method="GET",
    path="/generators/{id}",
)

DELETE_GENERATOR: Operation[types.Deleted] = Operation(
    id="deleteGenerator",
    method="DELETE",
    path="/generators/{id}",
)

LIST_MOCK_ENDPOINTS: Operation[types.ListMockEndpointsResult] = Operation(
    id="listMockEndpoints",
    method="GET",
    path="/mock/endpoints",
    items="endpoints",
)

CREATE_MOCK_ENDPOINT: Operation[types.MockEndpoint] = Operation(
    id="createMockEndpoint",
    method="POST",
    path="/mock/endpoints",
    idempotency_key=True,
)

GET_MOCK_ENDPOINT: Operation[types.MockEndpoint] = Operation(
    id="getMockEndpoint",
    method="GET",
    path="/mock/endpoints/{id}",
)

DELETE_MOCK_ENDPOINT: Operation[types.Deleted] = Operation(
    id="deleteMockEndpoint",
    method="DELETE",
    path="/mock/endpoints/{id}",
)

LIST_SYNC_JOBS: Operation[types.ListSyncJobsResult] = Operation(
    id="listSyncJobs",
    method="GET",
    path="/sync/jobs",
    items="jobs",
)

CREATE_SYNC_JOB: Operation[types.SyncJob] = Operation(
    id="createSyncJob",
    method="POST",
    path="/sync/jobs",
    idempotency_key=True,
)

RUN_SYNC_JOB_AGAIN: Operation[types.SyncJob] = Operation(
    id="runSyncJobAgain",
    method="POST",
    path="/sync/jobs/{id}/runs",
    idempotency_key=True,
)

GET_SYNC_JOB: Operation[types.SyncJob] = Operation(
    id="getSyncJob",
    method="GET",
    path="/sync/jobs/{id}",
)

DELETE_SYNC_JOB: Operation[types.DeleteSyncJobResult] = Operation(
    id="deleteSyncJob",
    method="DELETE",
    path="/sync/jobs/{id}",
    repeatable=False,
)

GET_SYNC_JOB_DEFINITION: Operation[types.SyncJobDefinition] = Operation(
    id="getSyncJobDefinition",
    method="GET",
    path="/sync/jobs/{id}/definition",
)

LIST_SYNC_JOB_TABLES: Operation[types.SyncJobTablePage] = Operation(
    id="listSyncJobTables",
    method="GET",
    path="/sync/jobs/{id}/tables",
)

RELEASE_SYNC_JOB: Operation[types.SyncJob] = Operation(
    id="releaseSyncJob",
    method="POST",
    path="/sync/jobs/{id}/release",
    idempotency_key=True,
)

REVERT_SYNC_JOB: Operation[types.AcceptedRevert] = Operation(
    id="revertSyncJob",
    method="POST",
    path="/sync/jobs/{id}/revert",
    idempotency_key=True,
)

GET_SYNC_JOB_REVERT: Operation[types.Revert] = Operation(
    id="getSyncJobRevert",
    method="GET",
    path="/sync/jobs/{id}/reverts/{revert_id}",
)

GET_SYNC_JOB_STORED_DATA: Operation[types.StoredData] = Operation(
    id="getSyncJobStoredData",
    method="GET",
    path="/sync/jobs/{id}/stored-data",
)

LIST_SNAPSHOTS: Operation[types.ListSnapshotsResult] = Operation(
    id="listSnapshots",
    method="GET",
    path="/snapshots",
    items="snapshots",
)

CREATE_SNAPSHOT: Operation[types.Snapshot] = Operation(
    id="createSnapshot",
    method="POST",
    path="/snapshots",
    idempotency_key=True,
)

GET_SNAPSHOT: Operation[types.Snapshot] = Operation(
    id="getSnapshot",
    method="GET",
    path="/snapshots/{id}",
)

DELETE_SNAPSHOT: Operation[types.Deleted] = Operation(
    id="deleteSnapshot",
    method="DELETE",
    path="/snapshots/{id}",
)

RESTORE_SNAPSHOT: Operation[types.AcceptedRestore] = Operation(
    id="restoreSnapshot",
    method="POST",
    path="/snapshots/{id}/restore",
    idempotency_key=True,
)

LIST_SNAPSHOT_RESTORES: Operation[types.ListSnapshotRestoresResult] = Operation(
    id="listSnapshotRestores",
    method="GET",
    path="/snapshots/{id}/restores",
    items="restores",
)

GET_SNAPSHOT_RESTORE: Operation[types.Restore] = Operation(
    id="getSnapshotRestore",
    method="GET",
    path="/snapshots/{id}/restores/{restore_id}",
)

WHOAMI: Operation[types.Caller] = Operation(
    id="whoami",
    method="GET",
    path="/whoami",
)

GET_ORGANIZATION: Operation[types.Organization] = Operation(
    id="getOrganization",
    method="GET",
    path="/org",
)

CHANGE_ORGANIZATION: Operation[types.Organization] = Operation(
    id="changeOrganization",
    method="PATCH",
    path="/org",
)

GET_USAGE: Operation[types.DailyUsage] = Operation(
    id="getUsage",
    method="GET",
    path="/usage",
)

LIST_MEMBERS: Operation[types.ListMembersResult] = Operation(
    id="listMembers",
    method="GET",
    path="/org/members",
    items="members",
)

INVITE_MEMBER: Operation[types.InvitedMember] = Operation(
    id="inviteMember",
    method="POST",
    path="/org/members",
    idempotency_key=True,
)

ACCEPT_INVITATION: Operation[types.JoinedMember] = Operation(
    id="acceptInvitation",
    method="POST",
    path="/org/members/accept",
    repeatable=False,
    public=True,
)

GET_MEMBER: Operation[types.Member] = Operation(
    id="getMember",
    method="GET",
    path="/org/members/{id}",
)

CHANGE_MEMBER: Operation[types.Member] = Operation(
    id="changeMember",
    method="PATCH",
    path="/org/members/{id}",
)

REMOVE_MEMBER: Operation[types.Deleted] = Operation(
    id="removeMember",
    method="DELETE",
    path="/org/members/{id}",
)

LIST_TOKENS: Operation[types.ListTokensResult] = Operation(
    id="listTokens",
    method="GET",
    path="/tokens",
    items="tokens",
)

CREATE_TOKEN: Operation[types.NewToken] = Operation(
    id="createToken",
    method="POST",
    path="/tokens",
    idempotency_key=True,
)

GET_TOKEN: Operation[types.Token] = Operation(
    id="getToken",
    method="GET",
    path="/tokens/{id}",
)

REVOKE_TOKEN: Operation[types.Deleted] = Operation(
    id="revokeToken",
    method="DELETE",
    path="/tokens/{id}",
)

ROTATE_TOKEN: Operation[types.RotatedToken] = Operation(
    id="rotateToken",
    method="POST",
    path="/tokens/{id}/rotate",
    idempotency_key=True,
)

LIST_AGENTS: Operation[types.ListAgentsResult] = Operation(
    id="listAgents",
    method="GET",
    path="/agents",
    items="agents",
)

GET_AGENT: Operation[types.Agent] = Operation(
    id="getAgent",
    method="GET",
    path="/agents/{id}",
)

REVOKE_AGENT: Operation[types.RevokedAgent] = Operation(
    id="revokeAgent",
    method="DELETE",
    path="/agents/{id}",
)

LIST_ENROLMENT_TOKENS: Operation[types.ListEnrolmentTokensResult] = Operation(
    id="listEnrolmentTokens",
    method="GET",
    path="/agents/enrolment-tokens",
    items="enrolment_tokens",
)

CREATE_ENROLMENT_TOKEN: Operation[types.NewEnrolmentToken] = Operation(
    id="createEnrolmentToken",
    method="POST",
    path="/agents/enrolment-tokens",
    idempotency_key=True,
)

GET_ENROLMENT_TOKEN: Operation[types.EnrolmentToken] = Operation(
    id="getEnrolmentToken",
    method="GET",
    path="/agents/enrolment-tokens/{id}",
)

REVOKE_ENROLMENT_TOKEN: Operation[types.Deleted] = Operation(
    id="revokeEnrolmentToken",
    method="DELETE",
    path="/agents/enrolment-tokens/{id}",
)

LIST_AGENT_MODELS: Operation[types.ListAgentModelsResult] = Operation(
    id="listAgentModels",
    method="GET",
    path="/agents/{id}/models",
    items="models",
)

LIST_WEBHOOKS: Operation[types.ListWebhooksResult] = Operation(
    id="listWebhooks",
    method="GET",
    path="/webhooks",
    items="webhooks",
)

CREATE_WEBHOOK: Operation[types.WebhookWithSecret] = Operation(
    id="createWebhook",
    method="POST",
    path="/webhooks",
    idempotency_key=True,
)

GET_WEBHOOK: Operation[types.Webhook] = Operation(
    id="getWebhook",
    method="GET",
    path="/webhooks/{id}",
)

CHANGE_WEBHOOK: Operation[types.Webhook] = Operation(
    id="changeWebhook",
    method="PATCH",
    path="/webhooks/{id}",
)

DELETE_WEBHOOK: Operation[types.Deleted] = Operation(
    id="deleteWebhook",
    method="DELETE",
    path="/webhooks/{id}",
)

ROTATE_WEBHOOK_SECRET: Operation[types.WebhookWithSecret] = Operation(
    id="rotateWebhookSecret",
    method="POST",
    path="/webhooks/{id}/rotate",
    idempotency_key=True,
)

TEST_WEBHOOK: Operation[types.WebhookDelivery] = Operation(
    id="testWebhook",
    method="POST",
    path="/webhooks/{id}/test",
    idempotency_key=True,
)

LIST_WEBHOOK_DELIVERIES: Operation[types.ListWebhookDeliveriesResult] = Operation(
    id="listWebhookDeliveries",
    method="GET",
    path="/webhooks/{id}/deliveries",
    items="deliveries",
)

GET_WEBHOOK_DELIVERY: Operation[types.WebhookDeliveryWithRequest] = Operation(
    id="getWebhookDelivery",
    method="GET",
    path="/webhooks/deliveries/{id}",
)

RESEND_WEBHOOK_DELIVERY: Operation[types.WebhookDelivery] = Operation(
    id="resendWebhookDelivery",
    method="POST",
    path="/webhooks/deliveries/{id}/resend",
    idempotency_key=True,
)

RECOVER_WEBHOOK_DELIVERIES: Operation[types.WebhookRecovery] = Operation(
    id="recoverWebhookDeliveries",
    method="POST",
    path="/webhooks/{id}/recover",
    idempotency_key=True,
)

LIST_AUDIT_ENTRIES: Operation[types.ListAuditEntriesResult] = Operation(
    id="listAuditEntries",
    method="GET",
    path="/audit-log",
    items="entries",
)

GET_API_DESCRIPTION: Operation[dict[str, Any]] = Operation(
    id="getApiDescription",
    method="GET",
    path="/openapi.json",
    public=True,
    enveloped=False,
)
