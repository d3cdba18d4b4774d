// Generated from docs/openapi.json by openapi-typescript ("npm run generate").

export interface paths {
    "/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generates records from a schema
         * @description Streamed. The first MiB is held back, so that an error in it is still an error answer; after it the connection is cut (CSV, JSON) or the last line is `{"error": …}` (NDJSON). CSV and NDJSON have no envelope: their facts are in headers.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `generate`.
         */
        post: operations["generate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the models
         * @description Uploaded models first, the newest at the top; then built-in ones by id.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `models:read`.
         */
        get: operations["listModels"];
        put?: never;
        /**
         * Uploads a custom model
         * @description The locale is read from the file. The id is `custom/` and a slug of the name, or the `id` that is given. Files that agents trained, or that hold originals, are refused; so the model serves neither the mode `real_word` nor the constraint `exclude_originals`.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `models:write`.
         */
        post: operations["uploadModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a model; its id may be written with a slash or with %2F
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `models:read`.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        /**
         * Deletes a custom model, or one that an agent trained
         * @description A built-in model cannot be deleted, nor one that a mock endpoint draws from.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `models:write`.
         */
        delete: operations["deleteModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the registered compositions, every version by itself
         * @description The newest first.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `generators:read`.
         */
        get: operations["listGenerators"];
        put?: never;
        /**
         * Registers a composition, or another version of one
         * @description It is compiled before the answer: an unknown reference is refused here, with the name that was probably meant. A version never changes.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `generators:write`.
         */
        post: operations["registerGenerator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a registered composition: `name@version`, or a name for its highest version
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `generators:read`.
         */
        get: operations["getGenerator"];
        put?: never;
        post?: never;
        /**
         * Deletes a registered composition: `name@version`, or a name for all versions
         * @description Jobs that were accepted with it keep their copy.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `generators:write`.
         */
        delete: operations["deleteGenerator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mock/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the mock endpoints
         * @description Newest first.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `endpoints:read`.
         */
        get: operations["listMockEndpoints"];
        put?: never;
        /**
         * Creates a mock endpoint
         * @description The schema and the wrapper are compiled before the answer. It is served at once at `url`: see docs/mock-endpoints.md. Custom models that it draws from cannot be deleted while it is there; of registered compositions it keeps the versions that there are now.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `endpoints:write`.
         */
        post: operations["createMockEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mock/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a mock endpoint and its schema
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `endpoints:read`.
         */
        get: operations["getMockEndpoint"];
        put?: never;
        post?: never;
        /**
         * Deletes a mock endpoint
         * @description Its URL answers 404 from then on, on every server within a second.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `endpoints:write`.
         */
        delete: operations["deleteMockEndpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sync/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the sync jobs
         * @description Newest first.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `jobs:read`.
         */
        get: operations["listSyncJobs"];
        put?: never;
        /**
         * Creates and runs a sync job
         * @description What can be known is checked before the answer, with all problems together. The job then waits for an agent; until it completes, and when it fails, the target holds what it held before.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `jobs:write`.
         */
        post: operations["createSyncJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sync/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a sync job
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `jobs:read`.
         */
        get: operations["getSyncJob"];
        put?: never;
        post?: never;
        /**
         * Cancels a sync job, or deletes one that has ended
         * @description A job that is pending or running is cancelled: it ends as `failed` with the code `cancelled`, or as `completed` when its target had been switched already. One that has ended is deleted.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `jobs:write`.
         */
        delete: operations["deleteSyncJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the snapshots
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `snapshots:read`.
         */
        get: operations["listSnapshots"];
        put?: never;
        /**
         * Takes a snapshot of a database
         * @description An agent takes it as of one instant, and keeps it: nothing of it comes here. It counts for the plan while it is `creating` or `ready`.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `snapshots:write`.
         */
        post: operations["createSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a snapshot
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `snapshots:read`.
         */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        /**
         * Deletes a snapshot
         * @description From here on it is not restored and counts for nothing. Restores that no agent has begun end as failed; one under way is finished first. One that is still being made is cancelled.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `snapshots:write`.
         */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a snapshot into a database
         * @description An agent is asked first whether the target can take it, and has 5 seconds to answer: a target that holds tables is refused with 409 unless `overwrite` is set, and so is one in use; no answer is 503. Nothing is touched then. A restore that fails later leaves the target as it was, too.
         *
         *     Needs the role `member` or a higher one, and of a narrowed token the scope `snapshots:write`.
         */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{id}/restores/{restore_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a restore
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `snapshots:read`.
         */
        get: operations["getSnapshotRestore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the organisation, its plan and what it has used
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `org:read`.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes the organisation's plan
         * @description Limits and quotas are those of the new plan from the next request on. What exists beyond the quotas of a smaller plan stays, and nothing is added to it.
         *
         *     Needs the role `owner` or a higher one, and of a narrowed token the scope `org:write`.
         */
        patch: operations["changeOrganization"];
        trace?: never;
    };
    "/org/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the members
         * @description Newest first; invited ones too.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `org:read`.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invites a member
         * @description Nobody invites above their own role. An invitation by a narrowed token carries that token's scopes: every token of the member is narrowed to them.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `org:write`.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/org/members/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turns an invitation into membership and a first API token
         * @description The invitation works once and needs no API token.
         *
         *     Needs no token.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/org/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a member
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `org:read`.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Removes a member and what the member's tokens made
         * @description Revokes the tokens, the open invitations and the unused enrolment tokens that the member made, and every token of the organisation that the member rotated last. The last owner cannot be removed.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `org:write`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Changes a member's role
         * @description Counts from the next request of the member's tokens on. The last owner stays an owner. A narrowed token raises only members whose `scopes` are among its own.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `org:write`.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the API tokens
         * @description Newest first; expired ones too.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `tokens:read`.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Makes an API token
         * @description A token made with a member's token is that member's and ends with the membership. Nobody gives more than they have.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `tokens:write`.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows an API token
         * @description Needs the role `admin` or a higher one, and of a narrowed token the scope `tokens:read`.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Revokes an API token
         * @description Counts from the next request on.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `tokens:write`.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives an API token a new text; the one before ends
         * @description Id, role and scopes stay. Members of any role rotate their own tokens; others take the role admin. Rotating another member's token ends its text and shows no new one: `needs_rotation` is true until that member rotates it with another of their tokens. Remove a member who has none, and invite them again.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `tokens:write`.
         */
        post: operations["rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the agents
         * @description The last enrolled first; revoked ones too.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `agents:read`.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows an agent
         * @description Needs the role `viewer` or a higher one, and of a narrowed token the scope `agents:read`.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Cuts an agent off for good
         * @description It gets no work and no credential any more. Revoking it again changes nothing.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `agents:write`.
         */
        delete: operations["revokeAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the models that an agent trained
         * @description The last trained first. Only name and keyed hash are known here.
         *
         *     Needs the role `viewer` or a higher one, and of a narrowed token the scope `agents:read`.
         */
        get: operations["listAgentModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/enrolment-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the enrolment tokens
         * @description Newest first; used and expired ones too.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `agents:read`.
         */
        get: operations["listEnrolmentTokens"];
        put?: never;
        /**
         * Makes a token that enrols one agent within an hour
         * @description Needs the role `admin` or a higher one, and of a narrowed token the scope `agents:write`.
         */
        post: operations["createEnrolmentToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/enrolment-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows an enrolment token
         * @description Needs the role `admin` or a higher one, and of a narrowed token the scope `agents:read`.
         */
        get: operations["getEnrolmentToken"];
        put?: never;
        post?: never;
        /**
         * Revokes an enrolment token
         * @description The agent that a used one enrolled stays.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `agents:write`.
         */
        delete: operations["revokeEnrolmentToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turns an enrolment token into an agent
         * @description For agents themselves. The enrolment token is spent.
         *
         *     Needs no token.
         */
        post: operations["enrolAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives the holder of an agent's key its next credential
         * @description For agents themselves, also after the credential has ended; proved by the agent's key.
         *
         *     Needs no token.
         */
        post: operations["renewAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/hosted-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives an agent at work on a job the file of a custom model that the job's rules draw from
         * @description For agents themselves; proved by the agent's key. The file is one that the agent's job was accepted with, and has that hash.
         *
         *     Needs no token.
         */
        post: operations["fetchHostedModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the webhooks
         * @description Newest first; disabled ones too.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Makes a webhook
         * @description Requests are POSTs of `{id, event, timestamp, data}`, signed with the secret of this answer: `X-Service-Signature` is the HMAC-SHA256 of the raw body in lower-case hex, and the three headers of Standard Webhooks are there too.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a webhook
         * @description Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Deletes a webhook and its deliveries
         * @description Its deliveries go with it.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Changes a webhook, disables or enables it
         * @description When a webhook is disabled, what was on its way to it is given up; events of the time until it is enabled are not kept for it.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:write`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a webhook a new secret
         * @description The new secret signs `X-Service-Signature` at once. Until the one before ends, `webhook-signature` holds a signature of each.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test event to a webhook
         * @description Sends `{id, event: "webhook.test", timestamp, data: {webhook_id}}`, whatever the webhook hears of.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists what was sent to a webhook
         * @description Newest first; the log goes back thirty days.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a delivery
         * @description Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends an event once more, under the same id
         * @description The same event, with the same id and body, as a delivery of its own.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `webhooks:write`.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists who did what
         * @description Newest first. Entries are never changed, and are deleted when the time that the operator keeps them is over (two years by default). `details.email` is missing when the address of a removed member was erased.
         *
         *     Needs the role `admin` or a higher one, and of a narrowed token the scope `audit:read`.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describes this API as OpenAPI 3.1
         * @description Changes with the version of the server only.
         *
         *     Needs no token.
         */
        get: operations["getApiDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ListedModel: {
            /** @description `<locale>/<name>` of a built-in model, `custom/<name>` of an uploaded one. */
            id: string;
            /** @description Display name: as given with the upload. */
            name: string;
            /** @description `<lang>_<REGION>`. */
            locale: string;
            /**
             * @description Whether it came with the product or was uploaded.
             * @enum {string}
             */
            type: "builtin" | "custom";
            /** @description N-gram order; null for a list and for a composition. */
            ngram_order: number | null;
            /**
             * Format: date-time
             * @description When it was uploaded; of built-in models, when the product was made.
             */
            created_at: string;
            /**
             * @description What the id stands for.
             * @enum {string}
             */
            kind: "ngram" | "list" | "composition";
            /** @description Token kind; null for a list and for a composition. */
            token_type: ("char" | "word") | null;
        };
        PrivateModel: {
            /** @description `private/<name>`. */
            id: string;
            name: string;
            /** @description HMAC of the model under a key that never leaves the agent. */
            hash: string;
            /** @description The agent that trained it and holds it. */
            agent_id: string;
            /**
             * Format: date-time
             * @description When it was trained last.
             */
            trained_at: string;
            /** @constant */
            type: "private";
            /** @constant */
            kind: "ngram";
        };
        UploadedModel: {
            /** @description `<locale>/<name>` of a built-in model, `custom/<name>` of an uploaded one. */
            id: string;
            /** @description Display name: as given with the upload. */
            name: string;
            /** @description `<lang>_<REGION>`. */
            locale: string;
            /**
             * @description Whether it came with the product or was uploaded.
             * @enum {string}
             */
            type: "builtin" | "custom";
            /** @description N-gram order. */
            ngram_order: number;
            /**
             * Format: date-time
             * @description When it was uploaded; of built-in models, when the product was made.
             */
            created_at: string;
        };
        Model: {
            /** @description `<locale>/<name>` of a built-in model, `custom/<name>` of an uploaded one. */
            id: string;
            /** @description Display name: as given with the upload. */
            name: string;
            /** @description `<lang>_<REGION>`. */
            locale: string;
            /**
             * @description Whether it came with the product or was uploaded.
             * @enum {string}
             */
            type: "builtin" | "custom";
            /** @description N-gram order; null for a list and for a composition. */
            ngram_order: number | null;
            /**
             * Format: date-time
             * @description When it was uploaded; of built-in models, when the product was made.
             */
            created_at: string;
            /**
             * @description What the id stands for.
             * @enum {string}
             */
            kind: "ngram" | "list" | "composition";
            /** @description Token kind; null for a list and for a composition. */
            token_type: ("char" | "word") | null;
            /** @description As given with the upload. */
            description: string | null;
            /** @description SPDX expression of what it was made from; may be empty. */
            licence: string;
            /** @description Origin of what it was made from; may be empty. */
            source: string;
            /** @description Generation modes that it serves; an uploaded model does not serve `real_word`. */
            modes: string[];
            /** @description Top-level constraints that it serves; an uploaded model does not serve `exclude_originals`. */
            constraints: string[];
            /** @description Different values that it was made from. */
            distinct_values: number | null;
            /** @description All values that it was made from, by their weights. */
            total_weight: number | null;
            /** @description Only what so many different values have in common is in it; 1 leaves nothing out. */
            min_values: number | null;
            /** @description Probability that a free word is none of the values that it was made from. */
            novel_mass: number | null;
            /** @description As many equally likely values would vary as much. */
            effective_values: number | null;
            /** @description So many different values `unique` gets without running dry. */
            distinct_capacity: number | null;
            /** @description Tokens it was trained on; null for a list and for a composition. */
            token_count: number | null;
            /** @description Distinct n-grams; null for a list and for a composition. */
            ngram_count: number | null;
            /**
             * Format: date-time
             * @description When it was changed.
             */
            updated_at: string;
        };
        Deleted: {
            /** @constant */
            deleted: true;
            /** @description Of what was deleted. */
            id: string;
        };
        ListedGenerator: {
            /** @description `name@version`. */
            id: string;
            /** @description `@<namespace>/<package>:<name>`, as `use` names it. */
            name: string;
            /** @description Semantic version. */
            version: string;
            description: string;
            /** @description The kind of its values. */
            output: string;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_at: string;
        };
        Generator: {
            /** @description `name@version`. */
            id: string;
            /** @description `@<namespace>/<package>:<name>`, as `use` names it. */
            name: string;
            /** @description Semantic version. */
            version: string;
            description: string;
            /** @description The kind of its values. */
            output: string;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_at: string;
            /** @description What was registered. */
            definition: {
                [key: string]: unknown;
            };
            /** @description SHA-256 of the definition, as agents verify it. */
            hash: string;
            /** @description All versions of that name, the highest first. */
            versions: string[];
        };
        ListedMockEndpoint: {
            /** @description Cannot be guessed. */
            id: string;
            /** @description As it was given. */
            path: string;
            /**
             * @description The method that is served.
             * @enum {string}
             */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Where it is served: `{mock_url}/<id><path>`. */
            url: string;
            /** @description Calls since the day of UTC began; up to two seconds behind. */
            requests_today: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * @description `token`: calls need an API token of the organisation.
             * @enum {string}
             */
            auth: "none" | "token";
            /** @description Name of its file, `<id>.schema.json`; the schema is shown with the endpoint. */
            schema: string;
        };
        /** @description How it answers, defaults filled in. */
        MockResponse: {
            count: number;
            wrapper: {
                [key: string]: unknown;
            } | unknown[] | string;
            status: number;
            headers: {
                [key: string]: string;
            };
            latency_ms: number | {
                min: number;
                max: number;
            };
            fail_rate: number;
        };
        MockEndpoint: {
            /** @description Cannot be guessed. */
            id: string;
            /** @description As it was given. */
            path: string;
            /**
             * @description The method that is served.
             * @enum {string}
             */
            method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Where it is served: `{mock_url}/<id><path>`. */
            url: string;
            /** @description Calls since the day of UTC began; up to two seconds behind. */
            requests_today: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * @description `token`: calls need an API token of the organisation.
             * @enum {string}
             */
            auth: "none" | "token";
            /** @description As it was given. */
            schema: {
                [key: string]: unknown;
            };
            response: components["schemas"]["MockResponse"];
        };
        ListedSyncJob: {
            /** @description Id of the job. */
            id: string;
            name: string;
            /**
             * @description Retries happen inside `running`.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed";
            /** @description Without its password. */
            source: string;
            /** @description Without its password. */
            target: string;
            /** @description Table names, as asked for. */
            tables: string[];
            /** @description Rows of all tables. */
            rows_processed: number;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
            /** @description Null while pending. */
            started_at: string | null;
            /** @description When it ended, also when it failed. */
            completed_at: string | null;
        };
        SyncJob: {
            /** @description Id of the job. */
            id: string;
            name: string;
            /**
             * @description Retries happen inside `running`.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed";
            /** @description Without its password. */
            source: string;
            /** @description Without its password. */
            target: string;
            /** @description Table names, as asked for. */
            tables: string[];
            /** @description Rows of all tables. */
            rows_processed: number;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
            /** @description Null while pending. */
            started_at: string | null;
            /** @description When it ended, also when it failed. */
            completed_at: string | null;
            /** @description Random seed. */
            seed: number;
            /**
             * Format: date-time
             * @description Reference instant of relative dates.
             */
            now: string;
            /**
             * @description What becomes of columns without a rule.
             * @enum {string}
             */
            unlisted_columns: "preserve" | "reject" | "null";
            /** @description Of all tables together; reported at most once a second. */
            progress: {
                /** @description Null while nobody works on it. */
                phase: ("preflight" | "training" | "copying" | "indexing" | "verifying" | "switching") | null;
                /** @description Rows copied, of all tables. */
                rows_done: number;
                /** @description An estimate until all rows are copied. */
                rows_total: number | null;
                /** @description Bytes copied, as they were sent to the target. */
                bytes_done: number;
                /** @description An estimate until all rows are copied. */
                bytes_total: number | null;
                /** @description Of the last seconds while rows are copied; of the whole copy when the job has completed. */
                rows_per_second: number | null;
                /** @description The same in bytes. */
                bytes_per_second: number | null;
                /** @description When all rows will be copied at this pace; building indexes and verifying come after it. Null while nothing tells. */
                estimated_end: string | null;
            };
            /** @description Tables of which rows were asked for; without one all rows are copied. */
            subset: {
                /** @description Of the table, as asked for. */
                name: string;
                /** @description Characters of its `where`, which is not shown; null without one. */
                where_length: number | null;
                /** @description Null without one. */
                limit: number | null;
            }[];
            table_progress: {
                name: string;
                /**
                 * @description Of the table.
                 * @enum {string}
                 */
                status: "pending" | "copying" | "indexing" | "verifying" | "completed";
                /** @description Rows copied. */
                rows_processed: number;
                /** @description An estimate until all rows are copied; null until the agent has looked at the table. */
                rows_total: number | null;
                /** @description Bytes of these rows as they were sent to the target. */
                bytes_processed: number;
                /** @description The size of the source's table until all rows are copied, then `bytes_processed`. */
                bytes_total: number | null;
            }[];
            /** @description How long a completed job took for what, of the attempt that completed it. Indexes are built while copied rows are read back: that time is of `verifying`, and what they take longer of `indexing`. */
            phases: {
                /**
                 * @description What the job did.
                 * @enum {string}
                 */
                phase: "preflight" | "training" | "copying" | "indexing" | "verifying" | "switching";
                seconds: number;
            }[];
            /** @description What was checked before the target was switched. Null until then, and when the job failed earlier. */
            verification: {
                /** @description All checks found what they should. */
                ok: boolean;
                checks: {
                    /**
                     * @description What was looked at.
                     * @enum {string}
                     */
                    check: "row_count" | "preserved_columns" | "nulled_columns" | "masked_columns" | "foreign_keys" | "sequences" | "other";
                    table: string;
                    ok: boolean;
                    /** @description Of a failed check of one column. */
                    column: string | null;
                    /** @description How many columns, keys or sequences; null where rows were counted. */
                    looked_at: number | null;
                    /** @description Of `row_count`; null otherwise. */
                    rows: {
                        /** @description In the source's snapshot. */
                        source: number;
                        /** @description By the parts of the copy that were committed. */
                        copied: number;
                        /** @description What is there to be switched to. */
                        target: number;
                    } | null;
                }[];
            } | null;
            /** @description How often an agent took the job. */
            attempts: number;
            /** @description Which agents may run it; null: every agent that offers the databases. */
            agent: {
                /** @description Of the agent. */
                id: string | null;
                /** @description Of the agent. */
                name: string | null;
                /** @description The agent has all of them. */
                labels: string[];
            } | null;
            /** @description The agent that took it last. */
            agent_id: string | null;
            /** @description Models that the job trained, and uploaded ones that it draws from. */
            models: {
                /** @description `private/<name>` or `custom/<name>`. */
                name: string;
                hash: string;
            }[];
            /** @description Registered compositions that it was accepted with. */
            generators: {
                /** @description `name@version`. */
                name: string;
                hash: string;
            }[];
            /** @description Checks alone: nothing is copied. */
            dry_run: boolean;
            /** @description What a dry run has found, once it is completed; null otherwise. */
            prediction: {
                /** @description Nothing is known to stand in the way of a run. */
                ok: boolean;
                /** @description What a run would fail with; at most 100. */
                problems: {
                    /** @description As in `error`. */
                    code: string;
                    message: string;
                    /** @description As in `error`. */
                    details: {
                        field: string;
                        message: string;
                    }[];
                }[];
                /** @description Those beyond the list too. */
                problem_count: number;
                /** @description Tables that could be looked at. */
                tables: {
                    name: string;
                    /** @description Rounded to two digits; null for fewer than ten. */
                    rows_expected: number | null;
                }[];
            } | null;
            /** @description Why it failed; null otherwise. */
            error: {
                /** @description Stable. */
                code: string;
                message: string;
                /** @description All that the agent's checks found before it moved a row, each at its place in the request; with the SQL to paste where a privilege is missing. */
                details: {
                    field: string;
                    message: string;
                }[];
            } | null;
            warnings: {
                code: string;
                message: string;
                /** @description Path in the request, of `constraint_not_applied`. */
                field?: string;
            }[];
        };
        CancelledSyncJob: {
            /** @description Id of the job. */
            id: string;
            /**
             * @description At the moment of the answer.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed";
            /** @constant */
            cancelled: true;
            /** @constant */
            deleted: false;
        };
        DeletedSyncJob: {
            /** @description Id of the job. */
            id: string;
            /** @constant */
            cancelled: false;
            /** @constant */
            deleted: true;
        };
        ListedSnapshot: {
            /** @description Id of the snapshot. */
            id: string;
            name: string;
            /** @description Its name, never a URL. */
            database: string;
            /**
             * @description What is `ready` can be restored. `deleting` until an agent has erased it, then it is gone.
             * @enum {string}
             */
            status: "creating" | "ready" | "failed" | "expired" | "deleting";
            /** @description As it is stored: compressed and encrypted. 0 until it is ready. */
            size_bytes: number;
            /** @description Those asked for, as they were asked for. Of a snapshot of all tables: those it holds, once it is ready, unless the policy of the agent keeps names to itself. */
            tables: string[];
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it is erased.
             */
            expires_at: string;
        };
        Snapshot: {
            /** @description Id of the snapshot. */
            id: string;
            name: string;
            /** @description Its name, never a URL. */
            database: string;
            /**
             * @description What is `ready` can be restored. `deleting` until an agent has erased it, then it is gone.
             * @enum {string}
             */
            status: "creating" | "ready" | "failed" | "expired" | "deleting";
            /** @description As it is stored: compressed and encrypted. 0 until it is ready. */
            size_bytes: number;
            /** @description Those asked for, as they were asked for. Of a snapshot of all tables: those it holds, once it is ready, unless the policy of the agent keeps names to itself. */
            tables: string[];
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it is erased.
             */
            expires_at: string;
            /** @description Null until an agent has begun. */
            started_at: string | null;
            /** @description When it ended, also when it failed. */
            completed_at: string | null;
            /** @description How often an agent took it. */
            attempts: number;
            /** @description Which agents may run it; null: every agent that offers the databases. */
            agent: {
                /** @description Of the agent. */
                id: string | null;
                /** @description Of the agent. */
                name: string | null;
                /** @description The agent has all of them. */
                labels: string[];
            } | null;
            /** @description The agent that took it last. */
            agent_id: string | null;
            /** @description Why it failed; null otherwise. */
            error: {
                /** @description Stable. */
                code: string;
                message: string;
            } | null;
            /** @description How many tables it holds; null until it is ready. */
            table_count: number | null;
            /** @description `server_version_num` of the database it was taken from: an older server cannot take it. */
            server_version: number | null;
            /** @description Of the attempt under way, or of the last one. */
            progress: {
                /** @description Null while nobody works on it. */
                phase: ("preflight" | "dumping" | "finishing") | null;
                /** @description Tables that are through. */
                tables_done: number;
                /** @description Null until the agent has looked. */
                tables_total: number | null;
                /** @description Of the tables' rows, before compression. */
                bytes_done: number;
                /** @description An estimate until all is through. */
                bytes_total: number | null;
            };
            warnings: {
                code: string;
                message: string;
            }[];
        };
        AcceptedRestore: {
            /** @description Id of the snapshot. */
            id: string;
            /** @description Id of the restore. */
            restore_id: string;
            /** @description Its name, never a URL. */
            target_database: string;
            /**
             * @description Retries happen inside `running`.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed";
        };
        Restore: {
            /** @description Id of the snapshot. */
            id: string;
            /** @description Id of the restore. */
            restore_id: string;
            /** @description Its name, never a URL. */
            target_database: string;
            /**
             * @description Retries happen inside `running`.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed";
            /** @description Null until an agent has begun. */
            started_at: string | null;
            /** @description When it ended, also when it failed. */
            completed_at: string | null;
            /** @description How often an agent took it. */
            attempts: number;
            /** @description Which agents may run it; null: every agent that offers the databases. */
            agent: {
                /** @description Of the agent. */
                id: string | null;
                /** @description Of the agent. */
                name: string | null;
                /** @description The agent has all of them. */
                labels: string[];
            } | null;
            /** @description The agent that took it last. */
            agent_id: string | null;
            /** @description Why it failed; null otherwise. */
            error: {
                /** @description Stable. */
                code: string;
                message: string;
            } | null;
            overwrite: boolean;
            /** @description Of the attempt under way, or of the last one. */
            progress: {
                /** @description Null while nobody works on it. */
                phase: ("preflight" | "checking" | "loading" | "switching") | null;
                /** @description Tables that are through. */
                tables_done: number;
                /** @description Null until the agent has looked. */
                tables_total: number | null;
                /** @description Of the tables' rows, before compression. */
                bytes_done: number;
                /** @description An estimate until all is through. */
                bytes_total: number | null;
            };
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
        };
        Organization: {
            /** @description Id of the organisation. */
            id: string;
            name: string;
            /**
             * @description Decides limits and quotas.
             * @enum {string}
             */
            plan: "free" | "starter" | "team" | "business";
            /** @description Invited ones too. */
            members: number;
            usage: {
                /** @description Jobs created this month; failed ones too, dry runs not. */
                sync_jobs: {
                    /** @description This month, or what exists now. */
                    used: number;
                    /** @description Of the plan. */
                    limit: number;
                };
                /** @description Mock endpoints that exist. */
                endpoints: {
                    /** @description This month, or what exists now. */
                    used: number;
                    /** @description Of the plan. */
                    limit: number;
                };
                /** @description Snapshots that exist. */
                snapshots: {
                    /** @description This month, or what exists now. */
                    used: number;
                    /** @description Of the plan. */
                    limit: number;
                };
                /** @description Calls this month, `POST /generate` not; exact within 10 seconds. */
                api_calls: {
                    /** @description This month, or what exists now. */
                    used: number;
                    /** @description Of the plan. */
                    limit: number;
                };
            };
            /**
             * Format: date-time
             * @description When the month ends and its counts begin again.
             */
            billing_cycle_end: string;
            /** @description What somebody of the organisation should look at. */
            warnings: {
                /**
                 * @description Stable.
                 * @enum {string}
                 */
                code: "webhook_disabled";
                message: string;
                /** @description The webhook that it is about. */
                webhook_id: string;
            }[];
        };
        Member: {
            /** @description Id of the member. */
            id: string;
            /** @description As it was written in the invitation. */
            email: string;
            /** @description Null until the member gives one. */
            name: string | null;
            /**
             * @description Each role may do what the ones before it may.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Every token of the member is narrowed to these; null: everything the role may. */
            scopes: ("generate" | "models:read" | "models:write" | "generators:read" | "generators:write" | "endpoints:read" | "endpoints:write" | "jobs:read" | "jobs:write" | "snapshots:read" | "snapshots:write" | "agents:read" | "agents:write" | "org:read" | "org:write" | "webhooks:read" | "webhooks:write" | "tokens:read" | "tokens:write" | "audit:read")[] | null;
            /**
             * @description Active from the accepted invitation on.
             * @enum {string}
             */
            status: "invited" | "active";
            /**
             * Format: date-time
             * @description When the invitation was made.
             */
            invited_at: string;
            /** @description Null while invited. */
            joined_at: string | null;
        };
        InvitedMember: {
            /** @description Id of the member. */
            id: string;
            /** @description As it was written in the invitation. */
            email: string;
            /** @description Null until the member gives one. */
            name: string | null;
            /**
             * @description Each role may do what the ones before it may.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Every token of the member is narrowed to these; null: everything the role may. */
            scopes: ("generate" | "models:read" | "models:write" | "generators:read" | "generators:write" | "endpoints:read" | "endpoints:write" | "jobs:read" | "jobs:write" | "snapshots:read" | "snapshots:write" | "agents:read" | "agents:write" | "org:read" | "org:write" | "webhooks:read" | "webhooks:write" | "tokens:read" | "tokens:write" | "audit:read")[] | null;
            /**
             * @description Active from the accepted invitation on.
             * @enum {string}
             */
            status: "invited" | "active";
            /**
             * Format: date-time
             * @description When the invitation was made.
             */
            invited_at: string;
            /** @description Null while invited. */
            joined_at: string | null;
            /** @description For the invited person. Shown here and never again. */
            invitation_token?: string;
            /**
             * Format: date-time
             * @description When the invitation ends.
             */
            invitation_expires_at: string;
        };
        JoinedMember: {
            /** @description Id of the member. */
            id: string;
            /** @description As it was written in the invitation. */
            email: string;
            /** @description Null until the member gives one. */
            name: string | null;
            /**
             * @description Each role may do what the ones before it may.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Every token of the member is narrowed to these; null: everything the role may. */
            scopes: ("generate" | "models:read" | "models:write" | "generators:read" | "generators:write" | "endpoints:read" | "endpoints:write" | "jobs:read" | "jobs:write" | "snapshots:read" | "snapshots:write" | "agents:read" | "agents:write" | "org:read" | "org:write" | "webhooks:read" | "webhooks:write" | "tokens:read" | "tokens:write" | "audit:read")[] | null;
            /**
             * @description Active from the accepted invitation on.
             * @enum {string}
             */
            status: "invited" | "active";
            /**
             * Format: date-time
             * @description When the invitation was made.
             */
            invited_at: string;
            /** @description Null while invited. */
            joined_at: string | null;
            /** @description The organisation that was joined. */
            organization_id: string;
            /** @description Id of the first API token. */
            api_token_id: string;
            /** @description The member's first API token. Shown here and never again. */
            api_token: string;
            /**
             * Format: date-time
             * @description When the token ends.
             */
            api_token_expires_at: string;
        };
        Token: {
            /** @description Id of the token; no secret. */
            id: string;
            name: string;
            /**
             * @description What it may; at most the role of its member.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Null: everything the role may. */
            scopes: ("generate" | "models:read" | "models:write" | "generators:read" | "generators:write" | "endpoints:read" | "endpoints:write" | "jobs:read" | "jobs:write" | "snapshots:read" | "snapshots:write" | "agents:read" | "agents:write" | "org:read" | "org:write" | "webhooks:read" | "webhooks:write" | "tokens:read" | "tokens:write" | "audit:read")[] | null;
            /** @description How the token begins. */
            hint: string;
            /** @description Whose token it is; null for a token of the organisation. */
            member_id: string | null;
            /** @description True: another member rotated it, which ended its text. It works again once its own member has rotated it. */
            needs_rotation: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
            /** @description To the minute; null when it never was. */
            last_used_at: string | null;
        };
        NewToken: {
            /** @description Id of the token; no secret. */
            id: string;
            name: string;
            /**
             * @description What it may; at most the role of its member.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Null: everything the role may. */
            scopes: ("generate" | "models:read" | "models:write" | "generators:read" | "generators:write" | "endpoints:read" | "endpoints:write" | "jobs:read" | "jobs:write" | "snapshots:read" | "snapshots:write" | "agents:read" | "agents:write" | "org:read" | "org:write" | "webhooks:read" | "webhooks:write" | "tokens:read" | "tokens:write" | "audit:read")[] | null;
            /** @description How the token begins. */
            hint: string;
            /** @description Whose token it is; null for a token of the organisation. */
            member_id: string | null;
            /** @description True: another member rotated it, which ended its text. It works again once its own member has rotated it. */
            needs_rotation: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
            /** @description To the minute; null when it never was. */
            last_used_at: string | null;
            /** @description The API token. Shown here and never again. */
            token?: string;
        };
        RotatedToken: {
            /** @description Id of the token; no secret. */
            id: string;
            name: string;
            /**
             * @description What it may; at most the role of its member.
             * @enum {string}
             */
            role: "viewer" | "member" | "admin" | "owner";
            /** @description Null: everything the role may. */
            scopes: ("generate" | "models:read" | "models:write" | "generators:read" | "generators:write" | "endpoints:read" | "endpoints:write" | "jobs:read" | "jobs:write" | "snapshots:read" | "snapshots:write" | "agents:read" | "agents:write" | "org:read" | "org:write" | "webhooks:read" | "webhooks:write" | "tokens:read" | "tokens:write" | "audit:read")[] | null;
            /** @description How the token begins. */
            hint: string;
            /** @description Whose token it is; null for a token of the organisation. */
            member_id: string | null;
            /** @description True: another member rotated it, which ended its text. It works again once its own member has rotated it. */
            needs_rotation: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
            /** @description To the minute; null when it never was. */
            last_used_at: string | null;
            /** @description The API token. Shown here and never again, and only for a token of the organisation or the caller's own. */
            token?: string;
        };
        Agent: {
            /** @description Id of the agent. */
            id: string;
            name: string;
            /**
             * @description Live: heard of within the last 15 seconds.
             * @enum {string}
             */
            status: "live" | "away" | "revoked";
            /** @description Null: never. */
            last_seen_at: string | null;
            /** @description Of the program; null until it was heard of. */
            version: string | null;
            /** @description What jobs may select it by, beside id and name. */
            labels: string[];
            /** @description Databases of its policy: jobs name them `agent:<name>`. */
            databases: string[];
            /** @description Equal for agents that mask alike. A keyed hash: it does not reveal the key. Null until it was heard of. */
            masking_key_fingerprint: string | null;
            /**
             * Format: date-time
             * @description When it was enrolled.
             */
            enrolled_at: string;
        };
        AgentModel: {
            /** @description `private/<name>`. */
            id: string;
            name: string;
            /** @description HMAC of the model under a key that never leaves the agent. */
            hash: string;
            /** @description The agent that trained it and holds it. */
            agent_id: string;
            /**
             * Format: date-time
             * @description When it was trained last.
             */
            trained_at: string;
        };
        RevokedAgent: {
            /** @description Id of the agent. */
            id: string;
            name: string;
            /**
             * @description Live: heard of within the last 15 seconds.
             * @enum {string}
             */
            status: "live" | "away" | "revoked";
            /** @description Null: never. */
            last_seen_at: string | null;
            /** @description Of the program; null until it was heard of. */
            version: string | null;
            /** @description What jobs may select it by, beside id and name. */
            labels: string[];
            /** @description Databases of its policy: jobs name them `agent:<name>`. */
            databases: string[];
            /** @description Equal for agents that mask alike. A keyed hash: it does not reveal the key. Null until it was heard of. */
            masking_key_fingerprint: string | null;
            /**
             * Format: date-time
             * @description When it was enrolled.
             */
            enrolled_at: string;
            /** @constant */
            deleted: true;
        };
        EnrolmentToken: {
            /** @description Id of the token; no secret. */
            id: string;
            /**
             * @description Only an unused one enrols an agent.
             * @enum {string}
             */
            status: "unused" | "used" | "expired";
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
            /** @description Null while unused. */
            used_at: string | null;
            /** @description The agent that it enrolled. */
            agent_id: string | null;
        };
        NewEnrolmentToken: {
            /** @description Id of the token; no secret. */
            id: string;
            /**
             * @description Only an unused one enrols an agent.
             * @enum {string}
             */
            status: "unused" | "used" | "expired";
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
            /** @description Null while unused. */
            used_at: string | null;
            /** @description The agent that it enrolled. */
            agent_id: string | null;
            /** @description The enrolment token. Shown here and never again. */
            token?: string;
        };
        AgentCredentials: {
            /** @description Id of the agent. */
            agent_id: string;
            /** @description Whose agent it is. */
            organization_id: string;
            /** @description Where the agent connects to. */
            nats_urls: string[];
            /** @description User JWT of the agent's NKey. */
            nats_jwt: string;
            /**
             * Format: date-time
             * @description When the JWT ends; renew it before.
             */
            jwt_expires_at: string;
        };
        Webhook: {
            /** @description Id of the webhook. */
            id: string;
            /** @description Where requests go. */
            url: string;
            events: ("sync.started" | "sync.completed" | "sync.failed" | "snapshot.created" | "snapshot.restored")[];
            /**
             * @description One that is disabled gets nothing.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description Null while enabled. */
            disabled_reason: ("failing" | "manual") | null;
            /** @description Null while enabled. */
            disabled_at: string | null;
            /** @description Since when every try has failed; null while they succeed. */
            failing_since: string | null;
            /** @description Until when the secret before the last rotation signs too. */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at: string;
        };
        WebhookWithSecret: {
            /** @description Id of the webhook. */
            id: string;
            /** @description Where requests go. */
            url: string;
            events: ("sync.started" | "sync.completed" | "sync.failed" | "snapshot.created" | "snapshot.restored")[];
            /**
             * @description One that is disabled gets nothing.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description Null while enabled. */
            disabled_reason: ("failing" | "manual") | null;
            /** @description Null while enabled. */
            disabled_at: string | null;
            /** @description Since when every try has failed; null while they succeed. */
            failing_since: string | null;
            /** @description Until when the secret before the last rotation signs too. */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at: string;
            /** @description What requests are signed with. Shown here and never again. */
            secret?: string;
        };
        WebhookDelivery: {
            /** @description Id of the delivery. */
            id: string;
            /** @description Id of the webhook. */
            webhook_id: string;
            /** @description `webhook-id` of its requests: the same on every try, and when it is sent again. */
            event_id: string;
            /** @description Kind of the event. */
            event: string;
            /**
             * @description `failed`: given up after the last try, or because the webhook was disabled.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description How often it was tried. */
            attempts: number;
            /** @description The newest twenty, oldest first. */
            tries: {
                /**
                 * Format: date-time
                 * @description When the try began.
                 */
                at: string;
                /** @description What the receiver answered; null when it did not. */
                status_code: number | null;
                /** @description Null when it succeeded. */
                error: ("http_status" | "timeout" | "address_refused" | "dns_failed" | "connection_failed" | "tls_failed" | "invalid_response" | "secret_unreadable") | null;
                /** @description How long it took. */
                duration_ms: number;
            }[];
            /** @description When it is tried next; null when it is not. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description When the receiver took it. */
            delivered_at: string | null;
            /** @description The delivery that it repeats. */
            resend_of: string | null;
        };
        AuditEntry: {
            id: string;
            /**
             * Format: date-time
             * @description When it was done.
             */
            occurred_at: string;
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "organization.created" | "organization.plan_changed" | "token.created" | "token.rotated" | "token.revoked" | "member.invited" | "member.joined" | "member.role_changed" | "member.removed" | "member.forgotten" | "enrolment_token.created" | "enrolment_token.revoked" | "agent.enrolled" | "agent.revoked" | "sync_job.created" | "model.uploaded" | "model.deleted" | "generator.registered" | "generator.deleted" | "mock_endpoint.created" | "mock_endpoint.deleted" | "sync_job.cancelled" | "sync_job.deleted" | "webhook.created" | "webhook.changed" | "webhook.secret_rotated" | "webhook.disabled" | "webhook.deleted" | "snapshot.created" | "snapshot.restored" | "snapshot.deleted";
            actor: {
                /**
                 * @description Who did it.
                 * @enum {string}
                 */
                type: "token" | "member" | "agent" | "command_line" | "server";
                /** @description Null for the command line and the server. */
                id: string | null;
                /** @description Whose token it was; null for tokens of the organisation. */
                member_id: string | null;
            };
            target: {
                /**
                 * @description What it was done to.
                 * @enum {string}
                 */
                type: "organization" | "token" | "member" | "enrolment_token" | "agent" | "sync_job" | "model" | "generator" | "mock_endpoint" | "webhook" | "snapshot";
                id: string;
            };
            /** @description Of the request; null for the command line and the server. */
            request_id: string | null;
            /** @description Names, roles and ids; never a secret. */
            details: {
                [key: string]: unknown;
            };
        };
        Meta: {
            /** @description Also in `X-Request-Id`. */
            request_id: string;
            /** Format: date-time */
            timestamp: string;
        };
        FieldProblem: {
            /** @description Path in the request: `tables[0].columns.email`. */
            field: string;
            /** @description What was expected and what kind of thing came. */
            message: string;
        };
    };
    responses: {
        /** @description The body is missing, or is not what its media type says. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "bad_request",
                 *         "message": "The body is missing, or is not what its media type says."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "bad_request";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description The credentials are missing or not valid. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unauthorized",
                 *         "message": "The credentials are missing or not valid."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "unauthorized";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description What the plan includes is used. */
        QuotaExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "quota_exceeded",
                 *         "message": "What the plan includes is used."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "quota_exceeded";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description The role or the scopes of the token do not allow it. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "forbidden",
                 *         "message": "The role or the scopes of the token do not allow it."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "forbidden";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description There is no such resource, or it is another organisation's. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "not_found",
                 *         "message": "There is no such resource, or it is another organisation's."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "not_found";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description No representation fits the `Accept` header. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "not_acceptable",
                 *         "message": "No representation fits the `Accept` header."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "not_acceptable";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description The body did not arrive in time. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "request_timeout",
                 *         "message": "The body did not arrive in time."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "request_timeout";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description It contradicts what is there. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "It contradicts what is there."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "conflict";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description The body is larger than 1 MiB, or the file than 32 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "payload_too_large",
                 *         "message": "The body is larger than 1 MiB, or the file than 32 MiB."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "payload_too_large";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description The body has another media type, or a content encoding. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unsupported_media_type",
                 *         "message": "The body has another media type, or a content encoding."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "unsupported_media_type";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description The request was understood and is not valid; `details` names the fields. */
        Unprocessable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "validation_error",
                 *         "message": "name: expected a string of 1 to 100 characters, got the number 7",
                 *         "details": [
                 *           {
                 *             "field": "name",
                 *             "message": "expected a string of 1 to 100 characters, got the number 7"
                 *           }
                 *         ]
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "validation_error" | "generation_failed" | "limit_exceeded";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description The rate limit, burst included, is used up. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "rate_limit_exceeded",
                 *         "message": "The rate limit, burst included, is used up."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "rate_limit_exceeded";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description More than 100 headers, or more than 16 KiB of them. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "headers_too_large",
                 *         "message": "More than 100 headers, or more than 16 KiB of them."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "headers_too_large";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description Something went wrong on the side of the server. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "internal_error",
                 *         "message": "Something went wrong on the side of the server."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "internal_error";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
        /** @description Something that is needed is away or full; try again. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unavailable",
                 *         "message": "Something that is needed is away or full; try again."
                 *       },
                 *       "meta": {
                 *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *         "timestamp": "2026-11-21T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    error: {
                        /**
                         * @description Stable.
                         * @enum {string}
                         */
                        code: "unavailable";
                        /** @description For people; may change. */
                        message: string;
                        /** @description Given where fields of the request are wrong. */
                        details?: components["schemas"]["FieldProblem"][];
                    };
                    meta: components["schemas"]["Meta"];
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the request; name it when you ask about it. */
        "X-Request-Id": string;
        /** @description Requests allowed in a window of one minute. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in this window; 0 while the burst is used up. */
        "X-RateLimit-Remaining": number;
        /** @description When the window ends, in seconds since the Unix epoch. */
        "X-RateLimit-Reset": number;
        /** @description Seconds to wait before the next try. */
        "Retry-After": number;
        /** @description `Bearer`. */
        "WWW-Authenticate": string;
        /** @description `true` where the request was carried out before, and this is the answer of then. */
        "Idempotent-Replayed": "true";
        /** @description Where the thing made is found. */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    generate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema": {
                 *         "generators": {
                 *           "id": {
                 *             "type": "svc",
                 *             "algorithm": "uuid_v4"
                 *           },
                 *           "age": {
                 *             "type": "svc",
                 *             "algorithm": "int_between",
                 *             "params": {
                 *               "min": 18,
                 *               "max": 90
                 *             }
                 *           }
                 *         },
                 *         "output": [
                 *           "id",
                 *           "age"
                 *         ]
                 *       },
                 *       "count": 1,
                 *       "seed": 42,
                 *       "format": "json"
                 *     }
                 */
                "application/json": {
                    /** @description Generators by name, and which of them become the keys of each record, in order. See docs/generators.md for every generator. */
                    schema: {
                        /** @description Name → generator definition: `{type, …}`, `{use, params}` or an inline composition. */
                        generators: {
                            [key: string]: unknown;
                        };
                        /** @description Names of generators, in order. */
                        output: string[];
                    };
                    /** @description Number of records. */
                    count: number;
                    /** @description Random seed. The same request with the same seed and `now` gives the same records; drawn when left out. */
                    seed?: number;
                    /**
                     * @description Format of the answer. Left out, the `Accept` header decides.
                     * @enum {string}
                     */
                    format?: "json" | "csv" | "ndjson";
                    /** @description Reference instant of relative dates (ISO 8601). Default: the start of the current UTC day. */
                    now?: string;
                };
            };
        };
        responses: {
            /** @description The records. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description The seed. */
                    "X-Generation-Seed": number;
                    /** @description Number of records. */
                    "X-Generation-Count": number;
                    /** @description Reference instant of relative dates. */
                    "X-Generation-Now": string;
                    /** @description Number of warnings; JSON has them in `meta`. */
                    "X-Generation-Warnings": number;
                    /** @description The warnings of CSV and NDJSON: a JSON array of `{field, message}`, the first that fit into 4 KiB. */
                    "X-Generation-Warning-Details"?: string;
                    /** @description Version of the engine. */
                    "X-Generation-Engine-Version": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "records": [
                     *           {
                     *             "id": "6f1f1b5c-9a0e-4d4b-8a7e-2b9f0f7a3c11",
                     *             "age": 54
                     *           }
                     *         ],
                     *         "count": 1,
                     *         "seed": 42
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "generation_time_ms": 3,
                     *         "engine_version": "2",
                     *         "now": "2026-11-21T00:00:00.000Z",
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description Each keyed by the names of `output`. */
                            records: {
                                [key: string]: unknown;
                            }[];
                            count: number;
                            /** @description As given, or as drawn. */
                            seed: number;
                        };
                        meta: {
                            /** @description Also in `X-Request-Id`. */
                            request_id: string;
                            /** Format: date-time */
                            timestamp: string;
                            generation_time_ms: number;
                            /** @description The same version, schema and seed give the same bytes. */
                            engine_version: string;
                            /**
                             * Format: date-time
                             * @description Reference instant of relative dates.
                             */
                            now: string;
                            /** @description Constraints that the mode of a model does not apply, and generators that may run dry: `unique` over few values. */
                            warnings: {
                                /** @description Path in the request. */
                                field: string;
                                message: string;
                            }[];
                        };
                    };
                    /**
                     * @example id,age
                     *     6f1f1b5c,54
                     */
                    "text/csv": string;
                    /** @example {"id":"6f1f1b5c","age":54} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listModels: {
        parameters: {
            query?: {
                /**
                 * @description Models of this locale alone (`<lang>_<REGION>`).
                 * @example en_US
                 */
                locale?: string;
                /**
                 * @description Where the models come from; those that agents trained are only in `private`.
                 * @example all
                 */
                type?: "builtin" | "custom" | "private" | "all";
                /** @description Models behind whose id an N-gram, a list of values, or a composition is. */
                kind?: "ngram" | "list" | "composition";
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /**
                 * @description Items per page.
                 * @example 2
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of models. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "models": [
                     *           {
                     *             "id": "custom/street-names",
                     *             "name": "Street names",
                     *             "locale": "de_DE",
                     *             "type": "custom",
                     *             "ngram_order": 3,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "kind": "ngram",
                     *             "token_type": "char"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            models: (components["schemas"]["ListedModel"] | components["schemas"]["PrivateModel"])[];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Street names",
                 *       "description": "Streets of a city"
                 *     }
                 */
                "multipart/form-data": {
                    /** @description Model file in the `.ngram` format, at most 32 MiB, without originals. */
                    file: string;
                    /** @description What the model is called. Without an `id` the model becomes `custom/<slug of the name>`. */
                    name: string;
                    /**
                     * @description The id of the model: `custom/<id>`, or the same without `custom/`. Needed where the name has no letter or digit that an id can have.
                     * @example custom/street-names
                     */
                    id?: string;
                    /** @description What the model is for. */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description The model. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "custom/street-names",
                     *         "name": "Street names",
                     *         "locale": "de_DE",
                     *         "type": "custom",
                     *         "ngram_order": 3,
                     *         "created_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["UploadedModel"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a model. Its slash may be written as it is or as `%2F`.
                 * @example en_US/first_names
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "custom/street-names",
                     *         "name": "Street names",
                     *         "locale": "de_DE",
                     *         "type": "custom",
                     *         "ngram_order": 3,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "kind": "ngram",
                     *         "token_type": "char",
                     *         "description": "Streets of a city",
                     *         "licence": "CC0-1.0",
                     *         "source": "open data",
                     *         "modes": [
                     *           "word"
                     *         ],
                     *         "constraints": [
                     *           "starts_with",
                     *           "ends_with",
                     *           "contains",
                     *           "min_length",
                     *           "max_length"
                     *         ],
                     *         "distinct_values": 5231,
                     *         "total_weight": 41276,
                     *         "min_values": 1,
                     *         "novel_mass": 0.62,
                     *         "effective_values": 1480,
                     *         "distinct_capacity": 9400,
                     *         "token_count": 41276,
                     *         "ngram_count": 6120,
                     *         "updated_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Model"] | components["schemas"]["PrivateModel"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a model. Its slash may be written as it is or as `%2F`.
                 * @example en_US/first_names
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": true,
                     *         "id": "custom/street-names"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGenerators: {
        parameters: {
            query?: {
                /** @description All versions of this one. */
                name?: string;
                /** @description Those of this namespace. */
                namespace?: string;
                /**
                 * @description Page number; a page past the end is empty.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items per page.
                 * @example 20
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of registered compositions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "generators": [
                     *           {
                     *             "id": "@acme/people:greeting@1.0.0",
                     *             "name": "@acme/people:greeting",
                     *             "version": "1.0.0",
                     *             "description": "A greeting.",
                     *             "output": "string",
                     *             "created_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            generators: components["schemas"]["ListedGenerator"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerGenerator: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "@acme/people:greeting",
                 *       "version": "1.0.0",
                 *       "description": "A greeting.",
                 *       "params": {
                 *         "who": {
                 *           "type": "string",
                 *           "default": "world"
                 *         }
                 *       },
                 *       "body": "Hello {{who}}"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `@<namespace>/<package>:<name>`.
                     * @example @acme/people:greeting
                     */
                    name: string;
                    /** @description Semantic version; 0.1.0 when absent. */
                    version?: string;
                    /** @description What it makes. */
                    description?: string;
                    /** @description Params by name, each `{type, required?, default?, description?}`; a required one has no default. */
                    params?: {
                        [key: string]: unknown;
                    };
                    /** @description Named steps, in any order. */
                    let?: {
                        [key: string]: unknown;
                    };
                    /** @description Template of one text; instead of `variants` and `output`. */
                    body?: string;
                    /** @description Weighted templates, one of which is drawn. */
                    variants?: unknown[];
                    /** @description Object whose leaves are templates. */
                    output?: unknown;
                };
            };
        };
        responses: {
            /** @description The composition. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "@acme/people:greeting@1.0.0",
                     *         "name": "@acme/people:greeting",
                     *         "version": "1.0.0",
                     *         "description": "A greeting.",
                     *         "output": "string",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "definition": {
                     *           "name": "@acme/people:greeting",
                     *           "version": "1.0.0",
                     *           "description": "A greeting.",
                     *           "params": {
                     *             "who": {
                     *               "type": "string",
                     *               "default": "world"
                     *             }
                     *           },
                     *           "body": "Hello {{who}}"
                     *         },
                     *         "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "versions": [
                     *           "1.0.0"
                     *         ]
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Generator"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGenerator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a registered composition: `name@version`, or the name alone.
                 * @example @acme/people:greeting@1.0.0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The composition. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "@acme/people:greeting@1.0.0",
                     *         "name": "@acme/people:greeting",
                     *         "version": "1.0.0",
                     *         "description": "A greeting.",
                     *         "output": "string",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "definition": {
                     *           "name": "@acme/people:greeting",
                     *           "version": "1.0.0",
                     *           "description": "A greeting.",
                     *           "params": {
                     *             "who": {
                     *               "type": "string",
                     *               "default": "world"
                     *             }
                     *           },
                     *           "body": "Hello {{who}}"
                     *         },
                     *         "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "versions": [
                     *           "1.0.0"
                     *         ]
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Generator"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteGenerator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of a registered composition: `name@version`, or the name alone.
                 * @example @acme/people:greeting@1.0.0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The composition is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": true,
                     *         "id": "@acme/people:greeting@1.0.0"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMockEndpoints: {
        parameters: {
            query?: {
                /**
                 * @description Page number; a page past the end is empty.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items per page.
                 * @example 20
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of mock endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "endpoints": [
                     *           {
                     *             "id": "ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA",
                     *             "path": "/api/users/:id",
                     *             "method": "GET",
                     *             "url": "https://understudy.example.com/mock/ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA/api/users/:id",
                     *             "requests_today": 0,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "auth": "none",
                     *             "schema": "ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA.schema.json"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            endpoints: components["schemas"]["ListedMockEndpoint"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMockEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "/api/users/:id",
                 *       "method": "GET",
                 *       "schema": {
                 *         "generators": {
                 *           "id": {
                 *             "computed": "params.id"
                 *           },
                 *           "name": {
                 *             "type": "model",
                 *             "source": "en_US/first_names"
                 *           }
                 *         },
                 *         "output": [
                 *           "id",
                 *           "name"
                 *         ]
                 *       },
                 *       "response": {
                 *         "count": 1,
                 *         "wrapper": {
                 *           "data": "{{records}}",
                 *           "total": "{{count}}"
                 *         },
                 *         "latency_ms": {
                 *           "min": 50,
                 *           "max": 200
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Path of the endpoint. A segment that begins with a colon is a parameter and takes any value.
                     * @example /api/users/:id
                     */
                    path: string;
                    /**
                     * @description The method that is served. GET serves HEAD too.
                     * @enum {string}
                     */
                    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                    /** @description What records are made of, as in `POST /generate`. Generators may refer to `params`. */
                    schema: {
                        [key: string]: unknown;
                    };
                    /** @description What the answer looks like. */
                    response?: {
                        /**
                         * @description Number of records of a call; `?count=` asks for another one, of at most 1,000. The budgets of `POST /generate` hold, and an answer has at most 8 MiB.
                         * @default 10
                         */
                        count?: number;
                        /**
                         * @description The body: JSON whose string leaves are templates. `{{records}}`, `{{count}}` and any other leaf that is one whole expression keep their type; `params` holds the parameters of the path. Left out, the body is the array of records.
                         * @example {
                         *       "data": "{{records}}",
                         *       "total": "{{count}}"
                         *     }
                         */
                        wrapper?: Record<string, never> | unknown[] | string;
                        /**
                         * @description Status of the answer; none that redirects.
                         * @default 200
                         */
                        status?: number;
                        /** @description Further headers of the answer. Refused are those that say how bytes are read, who may read them, and what a browser does because of them. */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @description How long an answer takes: always the same, or drawn from a range.
                         * @default 0
                         */
                        latency_ms?: number | {
                            min: number;
                            max: number;
                        };
                        /**
                         * @description Share of the calls that fail with status 500.
                         * @default 0
                         */
                        fail_rate?: number;
                    };
                    /**
                     * @description `token`: calls need an API token of the organisation. `none`: the URL is enough.
                     * @default none
                     * @enum {string}
                     */
                    auth?: "none" | "token";
                };
            };
        };
        responses: {
            /** @description The endpoint. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA",
                     *         "path": "/api/users/:id",
                     *         "method": "GET",
                     *         "url": "https://understudy.example.com/mock/ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA/api/users/:id",
                     *         "requests_today": 0,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "auth": "none",
                     *         "schema": {
                     *           "generators": {
                     *             "id": {
                     *               "computed": "params.id"
                     *             },
                     *             "name": {
                     *               "type": "model",
                     *               "source": "en_US/first_names"
                     *             }
                     *           },
                     *           "output": [
                     *             "id",
                     *             "name"
                     *           ]
                     *         },
                     *         "response": {
                     *           "count": 1,
                     *           "wrapper": {
                     *             "data": "{{records}}",
                     *             "total": "{{count}}"
                     *           },
                     *           "status": 200,
                     *           "headers": {},
                     *           "latency_ms": {
                     *             "min": 50,
                     *             "max": 200
                     *           },
                     *           "fail_rate": 0
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "warnings": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MockEndpoint"];
                        meta: {
                            /** @description Also in `X-Request-Id`. */
                            request_id: string;
                            /** Format: date-time */
                            timestamp: string;
                            /** @description Constraints that the mode of a model does not apply, and generators that may run dry: `unique` over few values. */
                            warnings: {
                                /** @description Path in the request. */
                                field: string;
                                message: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMockEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a mock endpoint.
                 * @example ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA",
                     *         "path": "/api/users/:id",
                     *         "method": "GET",
                     *         "url": "https://understudy.example.com/mock/ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA/api/users/:id",
                     *         "requests_today": 0,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "auth": "none",
                     *         "schema": {
                     *           "generators": {
                     *             "id": {
                     *               "computed": "params.id"
                     *             },
                     *             "name": {
                     *               "type": "model",
                     *               "source": "en_US/first_names"
                     *             }
                     *           },
                     *           "output": [
                     *             "id",
                     *             "name"
                     *           ]
                     *         },
                     *         "response": {
                     *           "count": 1,
                     *           "wrapper": {
                     *             "data": "{{records}}",
                     *             "total": "{{count}}"
                     *           },
                     *           "status": 200,
                     *           "headers": {},
                     *           "latency_ms": {
                     *             "min": 50,
                     *             "max": 200
                     *           },
                     *           "fail_rate": 0
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["MockEndpoint"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMockEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a mock endpoint.
                 * @example ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": true,
                     *         "id": "ep_7Z3KQ9XJ5D2N8RTW0VHB4MCEGA"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSyncJobs: {
        parameters: {
            query?: {
                /**
                 * @description Jobs of this status alone.
                 * @example pending
                 */
                status?: "pending" | "running" | "completed" | "failed";
                /**
                 * @description Page number; a page past the end is empty.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items per page.
                 * @example 20
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sync jobs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "jobs": [
                     *           {
                     *             "id": "job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "name": "nightly",
                     *             "status": "pending",
                     *             "source": "agent:shop_production",
                     *             "target": "postgresql://app:***@staging.internal:5432/shop",
                     *             "tables": [
                     *               "customers"
                     *             ],
                     *             "rows_processed": 0,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "started_at": null,
                     *             "completed_at": null
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            jobs: components["schemas"]["ListedSyncJob"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSyncJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "nightly",
                 *       "source": {
                 *         "type": "postgresql",
                 *         "connection_string": "agent:shop_production"
                 *       },
                 *       "target": {
                 *         "type": "postgresql",
                 *         "connection_string": "agent:shop_staging"
                 *       },
                 *       "tables": [
                 *         {
                 *           "name": "customers",
                 *           "columns": {
                 *             "first_name": {
                 *               "generator": "en_US/first_names"
                 *             },
                 *             "email": {
                 *               "generator": "template",
                 *               "pattern": "user-{{uuid}}@example.com"
                 *             },
                 *             "id": {
                 *               "preserve": true
                 *             }
                 *           }
                 *         }
                 *       ],
                 *       "unlisted_columns": "preserve",
                 *       "seed": 42
                 *     }
                 */
                "application/json": {
                    /** @description What the job is called. */
                    name: string;
                    /** @description The database that is read; only ever in a read-only transaction. */
                    source: {
                        /**
                         * @description Kind of database.
                         * @enum {string}
                         */
                        type: "postgresql" | "postgres";
                        /** @description A database named in the configuration of the agent (`agent:<name>`), or a URL `postgresql://user:password@host:5432/database`, which is sealed to the agents as it arrives and shown without its password from then on. */
                        connection_string: string;
                    };
                    /** @description The database whose listed tables are replaced as one unit. */
                    target: {
                        /**
                         * @description Kind of database.
                         * @enum {string}
                         */
                        type: "postgresql" | "postgres";
                        /** @description A database named in the configuration of the agent (`agent:<name>`), or a URL `postgresql://user:password@host:5432/database`, which is sealed to the agents as it arrives and shown without its password from then on. */
                        connection_string: string;
                    };
                    /** @description Which agents may run it: those that match each part. Left out: every agent that offers the databases. A connection URL is sealed only to agents that may run it. */
                    agent?: {
                        /** @description Id of the agent. Names and labels are chosen by whoever configures an agent; an id is not. */
                        id?: string;
                        /** @description Name of the agent, as `GET /v1/agents` shows it. Several agents may have one name. */
                        name?: string;
                        /** @description Labels that the agent has all of (`UNDERSTUDY_AGENT_LABELS`). */
                        labels?: string[];
                    };
                    /** @description Tables to copy, each once. */
                    tables: {
                        /** @description As in SQL: `t`, `schema.t`, `"Odd Schema"."T"`; without a schema `public`. */
                        name: string;
                        /** @description Column name → column rule: `{generator: <model id>}`, `{generator: "template", pattern}`, a generator definition, `{json: {<path>: <rule>}}` for places inside json and jsonb columns, or `{preserve: true}`. Modifiers: `unique`, `nullable`, `transform`, `constraints`, `differs`, `consistent`. `differs: true` needs a rule with at least 20 distinct values, or 1,000 on a column that the policy of the agent protects. `consistent: true` gives equal originals equal new values, so frequencies and joins stay visible. */
                        columns?: {
                            [key: string]: Record<string, never>;
                        };
                        /**
                         * @description Columns of this table without a rule; the job's when left out.
                         * @enum {string}
                         */
                        unlisted_columns?: "preserve" | "reject" | "null";
                        /** @description Which rows are asked for: `where`, `limit` or both. Rows that these refer to are copied as well, from whichever of the tables; tables without a subset lose the rows that refer to one that is not copied. */
                        subset?: {
                            /**
                             * @description A condition over the table's own columns: `=`, `<>`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, LIKE, ILIKE, IS [NOT] NULL, AND, OR, NOT, parentheses and literals; no functions, subqueries or other tables. At most 4,096 bytes. The policy of the agent has to allow it.
                             * @example country = 'CZ' AND created_at >= date '2025-01-01'
                             */
                            where?: string;
                            /** @description The first so many rows by primary key, of those that the condition admits. */
                            limit?: number;
                        };
                    }[];
                    /**
                     * @description Columns without a rule: copied as they are, refused before a row is read, or written as NULL.
                     * @default preserve
                     * @enum {string}
                     */
                    unlisted_columns?: "preserve" | "reject" | "null";
                    /**
                     * @description Make every check on the agent and copy nothing: the job ends `completed` with a `prediction`. Counts for no quota and sends no webhooks.
                     * @default false
                     */
                    dry_run?: boolean;
                    /** @description Random seed; the same job with the same seed and `now` gives the same values. Drawn when left out. */
                    seed?: number;
                    /** @description Reference instant of relative dates (ISO 8601). Default: the start of the current UTC day. */
                    now?: string;
                };
            };
        };
        responses: {
            /** @description The job. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "nightly",
                     *         "status": "pending",
                     *         "source": "agent:shop_production",
                     *         "target": "postgresql://app:***@staging.internal:5432/shop",
                     *         "tables": [
                     *           "customers"
                     *         ],
                     *         "rows_processed": 0,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "started_at": null,
                     *         "completed_at": null,
                     *         "seed": 4217905311846213,
                     *         "now": "2026-11-21T00:00:00.000Z",
                     *         "unlisted_columns": "preserve",
                     *         "subset": [],
                     *         "progress": {
                     *           "phase": null,
                     *           "rows_done": 0,
                     *           "rows_total": null,
                     *           "bytes_done": 0,
                     *           "bytes_total": null,
                     *           "rows_per_second": null,
                     *           "bytes_per_second": null,
                     *           "estimated_end": null
                     *         },
                     *         "table_progress": [
                     *           {
                     *             "name": "customers",
                     *             "status": "pending",
                     *             "rows_processed": 0,
                     *             "rows_total": null,
                     *             "bytes_processed": 0,
                     *             "bytes_total": null
                     *           }
                     *         ],
                     *         "phases": [],
                     *         "verification": null,
                     *         "attempts": 0,
                     *         "agent": null,
                     *         "agent_id": null,
                     *         "models": [],
                     *         "generators": [],
                     *         "dry_run": false,
                     *         "prediction": null,
                     *         "error": null,
                     *         "warnings": [
                     *           {
                     *             "code": "no_live_agent",
                     *             "message": "No agent of this organisation is connected. The job stays pending and starts when one is."
                     *           }
                     *         ]
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncJob"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSyncJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a sync job.
                 * @example job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "nightly",
                     *         "status": "pending",
                     *         "source": "agent:shop_production",
                     *         "target": "postgresql://app:***@staging.internal:5432/shop",
                     *         "tables": [
                     *           "customers"
                     *         ],
                     *         "rows_processed": 0,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "started_at": null,
                     *         "completed_at": null,
                     *         "seed": 4217905311846213,
                     *         "now": "2026-11-21T00:00:00.000Z",
                     *         "unlisted_columns": "preserve",
                     *         "subset": [],
                     *         "progress": {
                     *           "phase": null,
                     *           "rows_done": 0,
                     *           "rows_total": null,
                     *           "bytes_done": 0,
                     *           "bytes_total": null,
                     *           "rows_per_second": null,
                     *           "bytes_per_second": null,
                     *           "estimated_end": null
                     *         },
                     *         "table_progress": [
                     *           {
                     *             "name": "customers",
                     *             "status": "pending",
                     *             "rows_processed": 0,
                     *             "rows_total": null,
                     *             "bytes_processed": 0,
                     *             "bytes_total": null
                     *           }
                     *         ],
                     *         "phases": [],
                     *         "verification": null,
                     *         "attempts": 0,
                     *         "agent": null,
                     *         "agent_id": null,
                     *         "models": [],
                     *         "generators": [],
                     *         "dry_run": false,
                     *         "prediction": null,
                     *         "error": null,
                     *         "warnings": [
                     *           {
                     *             "code": "no_live_agent",
                     *             "message": "No agent of this organisation is connected. The job stays pending and starts when one is."
                     *           }
                     *         ]
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncJob"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSyncJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a sync job.
                 * @example job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job had ended, and is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "cancelled": false,
                     *         "deleted": true
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DeletedSyncJob"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description The job is being cancelled. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "status": "running",
                     *         "cancelled": true,
                     *         "deleted": false
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CancelledSyncJob"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: {
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /**
                 * @description Items per page.
                 * @example 20
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of snapshots, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "snapshots": [
                     *           {
                     *             "id": "snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "name": "before the migration",
                     *             "database": "shop_staging",
                     *             "status": "ready",
                     *             "size_bytes": 18874368,
                     *             "tables": [
                     *               "customers",
                     *               "orders"
                     *             ],
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "expires_at": "2026-12-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            snapshots: components["schemas"]["ListedSnapshot"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "before the migration",
                 *       "database": "shop_staging",
                 *       "tables": [
                 *         "customers",
                 *         "orders"
                 *       ],
                 *       "expires_in_days": 30
                 *     }
                 */
                "application/json": {
                    /** @description What the snapshot is called. */
                    name: string;
                    /** @description A database that the agent's policy file names, or a connection URL, which is sealed to the agents as it arrives. */
                    database: string;
                    /** @description As in SQL: `t`, `schema.t`, `"Odd Schema"."T"`; without a schema `public`, and partitions follow their parent. Left out or empty: all tables. */
                    tables?: string[];
                    /** @description Which agents may run it: those that match each part. Left out: every agent that offers the databases. A connection URL is sealed only to agents that may run it. */
                    agent?: {
                        /** @description Id of the agent. Names and labels are chosen by whoever configures an agent; an id is not. */
                        id?: string;
                        /** @description Name of the agent, as `GET /v1/agents` shows it. Several agents may have one name. */
                        name?: string;
                        /** @description Labels that the agent has all of (`UNDERSTUDY_AGENT_LABELS`). */
                        labels?: string[];
                    };
                    /**
                     * @description Days until it expires: it is erased then.
                     * @default 30
                     */
                    expires_in_days?: number;
                };
            };
        };
        responses: {
            /** @description The snapshot. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "before the migration",
                     *         "database": "shop_staging",
                     *         "status": "ready",
                     *         "size_bytes": 18874368,
                     *         "tables": [
                     *           "customers",
                     *           "orders"
                     *         ],
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2026-12-21T09:30:00.000Z",
                     *         "started_at": "2026-11-21T09:30:01.000Z",
                     *         "completed_at": "2026-11-21T09:30:14.000Z",
                     *         "attempts": 1,
                     *         "agent": null,
                     *         "agent_id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "error": null,
                     *         "table_count": 2,
                     *         "server_version": 170006,
                     *         "progress": {
                     *           "phase": null,
                     *           "tables_done": 2,
                     *           "tables_total": 2,
                     *           "bytes_done": 73400320,
                     *           "bytes_total": 73400320
                     *         },
                     *         "warnings": []
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Snapshot"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a snapshot.
                 * @example snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "before the migration",
                     *         "database": "shop_staging",
                     *         "status": "ready",
                     *         "size_bytes": 18874368,
                     *         "tables": [
                     *           "customers",
                     *           "orders"
                     *         ],
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2026-12-21T09:30:00.000Z",
                     *         "started_at": "2026-11-21T09:30:01.000Z",
                     *         "completed_at": "2026-11-21T09:30:14.000Z",
                     *         "attempts": 1,
                     *         "agent": null,
                     *         "agent_id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "error": null,
                     *         "table_count": 2,
                     *         "server_version": 170006,
                     *         "progress": {
                     *           "phase": null,
                     *           "tables_done": 2,
                     *           "tables_total": 2,
                     *           "bytes_done": 73400320,
                     *           "bytes_total": 73400320
                     *         },
                     *         "warnings": []
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Snapshot"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a snapshot.
                 * @example snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": true,
                     *         "id": "snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of a snapshot.
                 * @example snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target_database": "shop_review",
                 *       "overwrite": false
                 *     }
                 */
                "application/json": {
                    /** @description The database to restore into: one that the agent's policy file names for it, or a connection URL. It is created when it does not exist. */
                    target_database: string;
                    /**
                     * @description Whether a database that holds tables is replaced. The snapshot is loaded beside it and takes its place at the end: a restore that fails leaves it as it was.
                     * @default false
                     */
                    overwrite?: boolean;
                    /** @description Which agents may run it: those that match each part. Left out: every agent that offers the databases. A connection URL is sealed only to agents that may run it. */
                    agent?: {
                        /** @description Id of the agent. Names and labels are chosen by whoever configures an agent; an id is not. */
                        id?: string;
                        /** @description Name of the agent, as `GET /v1/agents` shows it. Several agents may have one name. */
                        name?: string;
                        /** @description Labels that the agent has all of (`UNDERSTUDY_AGENT_LABELS`). */
                        labels?: string[];
                    };
                };
            };
        };
        responses: {
            /** @description The restore is on its way. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "restore_id": "rst_01KAMT9B7F2M4D6Q9WJ3EVYX7R",
                     *         "target_database": "shop_review",
                     *         "status": "pending"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AcceptedRestore"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSnapshotRestore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a snapshot.
                 * @example snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
                /**
                 * @description Id of a restore.
                 * @example rst_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                restore_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The restore. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "snap_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "restore_id": "rst_01KAMT9B7F2M4D6Q9WJ3EVYX7R",
                     *         "target_database": "shop_review",
                     *         "status": "completed",
                     *         "started_at": "2026-11-21T09:30:01.000Z",
                     *         "completed_at": "2026-11-21T09:30:14.000Z",
                     *         "attempts": 1,
                     *         "agent": null,
                     *         "agent_id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "error": null,
                     *         "overwrite": false,
                     *         "progress": {
                     *           "phase": null,
                     *           "tables_done": 2,
                     *           "tables_total": 2,
                     *           "bytes_done": 73400320,
                     *           "bytes_total": 73400320
                     *         },
                     *         "created_at": "2026-11-21T10:00:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Restore"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organisation of the token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "Acme",
                     *         "plan": "team",
                     *         "members": 7,
                     *         "usage": {
                     *           "sync_jobs": {
                     *             "used": 31,
                     *             "limit": 500
                     *           },
                     *           "endpoints": {
                     *             "used": 2,
                     *             "limit": 50
                     *           },
                     *           "snapshots": {
                     *             "used": 0,
                     *             "limit": 50
                     *           },
                     *           "api_calls": {
                     *             "used": 18204,
                     *             "limit": 1000000
                     *           }
                     *         },
                     *         "billing_cycle_end": "2026-12-01T00:00:00.000Z",
                     *         "warnings": []
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organization"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": "business"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Decides limits and quotas, from the next request on.
                     * @enum {string}
                     */
                    plan: "free" | "starter" | "team" | "business";
                };
            };
        };
        responses: {
            /** @description The organisation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "Acme",
                     *         "plan": "business",
                     *         "members": 7,
                     *         "usage": {
                     *           "sync_jobs": {
                     *             "used": 31,
                     *             "limit": 500
                     *           },
                     *           "endpoints": {
                     *             "used": 2,
                     *             "limit": 50
                     *           },
                     *           "snapshots": {
                     *             "used": 0,
                     *             "limit": 50
                     *           },
                     *           "api_calls": {
                     *             "used": 18204,
                     *             "limit": 1000000
                     *           }
                     *         },
                     *         "billing_cycle_end": "2026-12-01T00:00:00.000Z",
                     *         "warnings": []
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organization"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /** @description Items per page. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "members": [
                     *           {
                     *             "id": "mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "email": "ada@example.com",
                     *             "name": "Ada",
                     *             "role": "member",
                     *             "scopes": null,
                     *             "status": "active",
                     *             "invited_at": "2026-11-20T14:00:00.000Z",
                     *             "joined_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            members: components["schemas"]["Member"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "role": "member"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address; in any case of letters it is one member.
                     */
                    email: string;
                    /**
                     * @description The member's role: at most the caller's own.
                     * @enum {string}
                     */
                    role: "viewer" | "member" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description The member, with the invitation. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "email": "ada@example.com",
                     *         "name": null,
                     *         "role": "member",
                     *         "scopes": null,
                     *         "status": "invited",
                     *         "invited_at": "2026-11-20T14:00:00.000Z",
                     *         "joined_at": null,
                     *         "invitation_token": "us_invite_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX",
                     *         "invitation_expires_at": "2026-11-27T14:00:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["InvitedMember"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "us_invite_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": {
                    /** @description The invitation token, which works once. */
                    token: string;
                    /** @description What the member is called. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The member, with a first API token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "role": "member",
                     *         "scopes": null,
                     *         "status": "active",
                     *         "invited_at": "2026-11-20T14:00:00.000Z",
                     *         "joined_at": "2026-11-21T09:30:00.000Z",
                     *         "organization_id": "org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "api_token_id": "tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "api_token": "us_live_7hG2kQ9ZtX4vB8nM1pL6sD3fR5wY0c2aF9Qe",
                     *         "api_token_expires_at": "2027-02-19T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["JoinedMember"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a member.
                 * @example mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "role": "member",
                     *         "scopes": null,
                     *         "status": "active",
                     *         "invited_at": "2026-11-20T14:00:00.000Z",
                     *         "joined_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a member.
                 * @example mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member is removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": true,
                     *         "id": "mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a member.
                 * @example mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The member's role: at most the caller's own.
                     * @enum {string}
                     */
                    role: "viewer" | "member" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description The member. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "mem_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "email": "ada@example.com",
                     *         "name": "Ada",
                     *         "role": "admin",
                     *         "scopes": null,
                     *         "status": "active",
                     *         "invited_at": "2026-11-20T14:00:00.000Z",
                     *         "joined_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /** @description Items per page. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "tokens": [
                     *           {
                     *             "id": "tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "name": "ci",
                     *             "role": "member",
                     *             "scopes": [
                     *               "generate",
                     *               "jobs:write"
                     *             ],
                     *             "hint": "us_live_7hG2…",
                     *             "member_id": null,
                     *             "needs_rotation": false,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "expires_at": "2027-02-19T09:30:00.000Z",
                     *             "last_used_at": null
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            tokens: components["schemas"]["Token"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ci",
                 *       "role": "member",
                 *       "scopes": [
                 *         "generate",
                 *         "jobs:write"
                 *       ],
                 *       "expires_in_days": 90
                 *     }
                 */
                "application/json": {
                    /** @description What the token is called. */
                    name: string;
                    /**
                     * @description What the token may: at most the caller's own role.
                     * @enum {string}
                     */
                    role: "viewer" | "member" | "admin" | "owner";
                    /** @description Narrows the token. Left out, it may everything that its role may; `…:write` includes `…:read`. */
                    scopes?: ("generate" | "models:read" | "models:write" | "generators:read" | "generators:write" | "endpoints:read" | "endpoints:write" | "jobs:read" | "jobs:write" | "snapshots:read" | "snapshots:write" | "agents:read" | "agents:write" | "org:read" | "org:write" | "webhooks:read" | "webhooks:write" | "tokens:read" | "tokens:write" | "audit:read")[];
                    /**
                     * @description Days until the token ends.
                     * @default 90
                     */
                    expires_in_days?: number;
                };
            };
        };
        responses: {
            /** @description The token, with its text. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "ci",
                     *         "role": "member",
                     *         "scopes": [
                     *           "generate",
                     *           "jobs:write"
                     *         ],
                     *         "hint": "us_live_7hG2…",
                     *         "member_id": null,
                     *         "needs_rotation": false,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2027-02-19T09:30:00.000Z",
                     *         "last_used_at": null,
                     *         "token": "us_live_7hG2kQ9ZtX4vB8nM1pL6sD3fR5wY0c2aF9Qe"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NewToken"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of an API token.
                 * @example tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "ci",
                     *         "role": "member",
                     *         "scopes": [
                     *           "generate",
                     *           "jobs:write"
                     *         ],
                     *         "hint": "us_live_7hG2…",
                     *         "member_id": null,
                     *         "needs_rotation": false,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2027-02-19T09:30:00.000Z",
                     *         "last_used_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Token"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of an API token.
                 * @example tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": true,
                     *         "id": "tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of an API token.
                 * @example tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expires_in_days": 30
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Days until the token ends.
                     * @default 90
                     */
                    expires_in_days?: number;
                };
            };
        };
        responses: {
            /** @description The token, with its new text. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "ci",
                     *         "role": "member",
                     *         "scopes": [
                     *           "generate",
                     *           "jobs:write"
                     *         ],
                     *         "hint": "us_live_7hG2…",
                     *         "member_id": null,
                     *         "needs_rotation": false,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2027-02-19T09:30:00.000Z",
                     *         "last_used_at": null,
                     *         "token": "us_live_7hG2kQ9ZtX4vB8nM1pL6sD3fR5wY0c2aF9Qe"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RotatedToken"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /** @description Items per page. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agents": [
                     *           {
                     *             "id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "name": "eu-1",
                     *             "status": "live",
                     *             "last_seen_at": "2026-11-21T09:30:00.000Z",
                     *             "version": "0.1.0",
                     *             "labels": [
                     *               "eu"
                     *             ],
                     *             "databases": [
                     *               "shop_production",
                     *               "shop_staging"
                     *             ],
                     *             "masking_key_fingerprint": "3f0c5a9be1d24786a5b1c09d7e42f318",
                     *             "enrolled_at": "2026-11-20T14:00:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            agents: components["schemas"]["Agent"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of an agent.
                 * @example agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "eu-1",
                     *         "status": "live",
                     *         "last_seen_at": "2026-11-21T09:30:00.000Z",
                     *         "version": "0.1.0",
                     *         "labels": [
                     *           "eu"
                     *         ],
                     *         "databases": [
                     *           "shop_production",
                     *           "shop_staging"
                     *         ],
                     *         "masking_key_fingerprint": "3f0c5a9be1d24786a5b1c09d7e42f318",
                     *         "enrolled_at": "2026-11-20T14:00:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Agent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of an agent.
                 * @example agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "name": "eu-1",
                     *         "status": "revoked",
                     *         "last_seen_at": "2026-11-21T09:30:00.000Z",
                     *         "version": "0.1.0",
                     *         "labels": [
                     *           "eu"
                     *         ],
                     *         "databases": [
                     *           "shop_production",
                     *           "shop_staging"
                     *         ],
                     *         "masking_key_fingerprint": "3f0c5a9be1d24786a5b1c09d7e42f318",
                     *         "enrolled_at": "2026-11-20T14:00:00.000Z",
                     *         "deleted": true
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RevokedAgent"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgentModels: {
        parameters: {
            query?: {
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /** @description Items per page. */
                per_page?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an agent.
                 * @example agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of models. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "models": [
                     *           {
                     *             "id": "private/customer-names",
                     *             "name": "customer-names",
                     *             "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *             "agent_id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "trained_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            models: components["schemas"]["AgentModel"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["QuotaExceeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEnrolmentTokens: {
        parameters: {
            query?: {
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /** @description Items per page. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of enrolment tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "enrolment_tokens": [
                     *           {
                     *             "id": "enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "status": "unused",
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "expires_at": "2026-11-21T10:30:00.000Z",
                     *             "used_at": null,
                     *             "agent_id": null
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            enrolment_tokens: components["schemas"]["EnrolmentToken"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createEnrolmentToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The token, with its text. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "status": "unused",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2026-11-21T10:30:00.000Z",
                     *         "used_at": null,
                     *         "agent_id": null,
                     *         "token": "us_enrol_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NewEnrolmentToken"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEnrolmentToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of an enrolment token.
                 * @example enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "status": "unused",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "expires_at": "2026-11-21T10:30:00.000Z",
                     *         "used_at": null,
                     *         "agent_id": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["EnrolmentToken"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeEnrolmentToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of an enrolment token.
                 * @example enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": true,
                     *         "id": "enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enrolAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "us_enrol_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX",
                 *       "name": "eu-1",
                 *       "nats_public_key": "UDSDANYJTHNO3CHFHDNKYOFBAWRIT6WLOJCLVWPKNUQC7E7VABLAQDFT",
                 *       "sealing_public_key": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
                 *     }
                 */
                "application/json": {
                    /** @description An enrolment token that was not used yet. */
                    token: string;
                    /** @description What the agent is called in lists. */
                    name: string;
                    /** @description Public NKey of the NATS user, whose seed stays with the agent. */
                    nats_public_key: string;
                    /** @description X25519 public key to which connection strings are sealed (HPKE), in base64. */
                    sealing_public_key: string;
                };
            };
        };
        responses: {
            /** @description The agent is enrolled. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agent_id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "organization_id": "org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "nats_urls": [
                     *           "tls://nats.example.com:4222"
                     *         ],
                     *         "nats_jwt": "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.e30.c2lnbmF0dXJl",
                     *         "jwt_expires_at": "2026-11-21T10:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AgentCredentials"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renewAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *       "issued_at": "2026-11-21T09:30:00.000Z",
                 *       "nonce": "pL9sD4fR7wY3bN6hG1jA8e",
                 *       "signature": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
                 *     }
                 */
                "application/json": {
                    /** @description Id of the agent. */
                    agent_id: string;
                    /**
                     * Format: date-time
                     * @description When the request was signed; at most a minute off the clock of the server.
                     */
                    issued_at: string;
                    /** @description Random characters of base64url. */
                    nonce: string;
                    /** @description Ed25519 signature over agent, time and nonce with the agent's NKey, in base64. */
                    signature: string;
                };
            };
        };
        responses: {
            /** @description The next credential. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "agent_id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "organization_id": "org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "nats_urls": [
                     *           "tls://nats.example.com:4222"
                     *         ],
                     *         "nats_jwt": "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.e30.c2lnbmF0dXJl",
                     *         "jwt_expires_at": "2026-11-21T10:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AgentCredentials"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    fetchHostedModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_id": "agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *       "issued_at": "2026-11-21T09:30:00.000Z",
                 *       "nonce": "pL9sD4fR7wY3bN6hG1jA8e",
                 *       "signature": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                 *       "job_id": "job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                 *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *     }
                 */
                "application/json": {
                    /** @description The job that the agent works on. */
                    job_id: string;
                    /** @description SHA-256 of the file, from the command of the job. */
                    sha256: string;
                    /** @description Id of the agent. */
                    agent_id: string;
                    /**
                     * Format: date-time
                     * @description When the request was signed; at most a minute off the clock of the server.
                     */
                    issued_at: string;
                    /** @description Random characters of base64url. */
                    nonce: string;
                    /** @description Ed25519 signature over agent, time and nonce with the agent's NKey, in base64. */
                    signature: string;
                };
            };
        };
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /** @description Items per page. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "webhooks": [
                     *           {
                     *             "id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "url": "https://ci.example.com/hooks/understudy",
                     *             "events": [
                     *               "sync.completed",
                     *               "sync.failed"
                     *             ],
                     *             "status": "enabled",
                     *             "disabled_reason": null,
                     *             "disabled_at": null,
                     *             "failing_since": null,
                     *             "previous_secret_expires_at": null,
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "updated_at": "2026-11-21T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            webhooks: components["schemas"]["Webhook"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://ci.example.com/hooks/understudy",
                 *       "events": [
                 *         "sync.completed",
                 *         "sync.failed"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Where requests go: `https://…`, or `http://…`, without user, password and fragment. Its host must have a public address. */
                    url: string;
                    /** @description What the endpoint hears of. */
                    events: ("sync.started" | "sync.completed" | "sync.failed" | "snapshot.created" | "snapshot.restored")[];
                };
            };
        };
        responses: {
            /** @description The webhook, with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "url": "https://ci.example.com/hooks/understudy",
                     *         "events": [
                     *           "sync.completed",
                     *           "sync.failed"
                     *         ],
                     *         "status": "enabled",
                     *         "disabled_reason": null,
                     *         "disabled_at": null,
                     *         "failing_since": null,
                     *         "previous_secret_expires_at": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a webhook.
                 * @example wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "url": "https://ci.example.com/hooks/understudy",
                     *         "events": [
                     *           "sync.completed",
                     *           "sync.failed"
                     *         ],
                     *         "status": "enabled",
                     *         "disabled_reason": null,
                     *         "disabled_at": null,
                     *         "failing_since": null,
                     *         "previous_secret_expires_at": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a webhook.
                 * @example wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deleted": true,
                     *         "id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a webhook.
                 * @example wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "sync.failed"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Where requests go: `https://…`, or `http://…`, without user, password and fragment. Its host must have a public address. */
                    url?: string;
                    /** @description What the endpoint hears of. */
                    events?: ("sync.started" | "sync.completed" | "sync.failed" | "snapshot.created" | "snapshot.restored")[];
                    /** @description `false` disables the endpoint; `true` enables one that was disabled, for whatever reason. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "url": "https://ci.example.com/hooks/understudy",
                     *         "events": [
                     *           "sync.failed"
                     *         ],
                     *         "status": "enabled",
                     *         "disabled_reason": null,
                     *         "disabled_at": null,
                     *         "failing_since": null,
                     *         "previous_secret_expires_at": null,
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of a webhook.
                 * @example wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 24
                 *     }
                 */
                "application/json": {
                    /**
                     * @description How long the secret before goes on signing `webhook-signature` beside the new one; 0 ends it at once.
                     * @default 24
                     */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The webhook, with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "url": "https://ci.example.com/hooks/understudy",
                     *         "events": [
                     *           "sync.completed",
                     *           "sync.failed"
                     *         ],
                     *         "status": "enabled",
                     *         "disabled_reason": null,
                     *         "disabled_at": null,
                     *         "failing_since": null,
                     *         "previous_secret_expires_at": "2026-11-22T09:30:00.000Z",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of a webhook.
                 * @example wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The delivery, not yet tried. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "webhook_id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "event_id": "evt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "event": "webhook.test",
                     *         "status": "pending",
                     *         "attempts": 0,
                     *         "tries": [],
                     *         "next_attempt_at": "2026-11-21T09:30:00.000Z",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "delivered_at": null,
                     *         "resend_of": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Of this status only.
                 * @example failed
                 */
                status?: "pending" | "delivered" | "failed";
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /** @description Items per page. */
                per_page?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of a webhook.
                 * @example wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deliveries": [
                     *           {
                     *             "id": "dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "webhook_id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "event_id": "evt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "event": "sync.completed",
                     *             "status": "pending",
                     *             "attempts": 1,
                     *             "tries": [
                     *               {
                     *                 "at": "2026-11-21T09:30:00.120Z",
                     *                 "status_code": 503,
                     *                 "error": "http_status",
                     *                 "duration_ms": 41
                     *               }
                     *             ],
                     *             "next_attempt_at": "2026-11-21T09:30:05.210Z",
                     *             "created_at": "2026-11-21T09:30:00.000Z",
                     *             "delivered_at": null,
                     *             "resend_of": null
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            deliveries: components["schemas"]["WebhookDelivery"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of a delivery.
                 * @example dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "webhook_id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "event_id": "evt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "event": "sync.completed",
                     *         "status": "pending",
                     *         "attempts": 1,
                     *         "tries": [
                     *           {
                     *             "at": "2026-11-21T09:30:00.120Z",
                     *             "status_code": 503,
                     *             "error": "http_status",
                     *             "duration_ms": 41
                     *           }
                     *         ],
                     *         "next_attempt_at": "2026-11-21T09:30:05.210Z",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "delivered_at": null,
                     *         "resend_of": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request has. The same request with it again, within 24 hours, has no effect of its own: it gets the first answer, without secrets that are shown once. With another body it is refused. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of a delivery.
                 * @example dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The new delivery, not yet tried. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "webhook_id": "wh_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "event_id": "evt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "event": "sync.completed",
                     *         "status": "pending",
                     *         "attempts": 0,
                     *         "tries": [],
                     *         "next_attempt_at": "2026-11-21T09:30:00.000Z",
                     *         "created_at": "2026-11-21T09:30:00.000Z",
                     *         "delivered_at": null,
                     *         "resend_of": "dlv_01KAMT8Z5CVYX7R2M4D6Q9WJ3D"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /**
                 * @description Entries of this action alone.
                 * @example organization.created
                 */
                action?: "organization.created" | "organization.plan_changed" | "token.created" | "token.rotated" | "token.revoked" | "member.invited" | "member.joined" | "member.role_changed" | "member.removed" | "member.forgotten" | "enrolment_token.created" | "enrolment_token.revoked" | "agent.enrolled" | "agent.revoked" | "sync_job.created" | "model.uploaded" | "model.deleted" | "generator.registered" | "generator.deleted" | "mock_endpoint.created" | "mock_endpoint.deleted" | "sync_job.cancelled" | "sync_job.deleted" | "webhook.created" | "webhook.changed" | "webhook.secret_rotated" | "webhook.disabled" | "webhook.deleted" | "snapshot.created" | "snapshot.restored" | "snapshot.deleted";
                /** @description What this token, member or agent did. */
                actor_id?: string;
                /** @description What was done to this. */
                target_id?: string;
                /** @description Page number; a page past the end is empty. */
                page?: number;
                /** @description Items per page. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "entries": [
                     *           {
                     *             "id": "aud_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "occurred_at": "2026-11-21T09:30:00.000Z",
                     *             "action": "token.created",
                     *             "actor": {
                     *               "type": "token",
                     *               "id": "tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3D",
                     *               "member_id": null
                     *             },
                     *             "target": {
                     *               "type": "token",
                     *               "id": "tok_01KAMT8Z5CVYX7R2M4D6Q9WJ3E"
                     *             },
                     *             "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *             "details": {
                     *               "name": "ci",
                     *               "role": "member"
                     *             }
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "per_page": 20
                     *       },
                     *       "meta": {
                     *         "request_id": "req_01KAMT8Z5CVYX7R2M4D6Q9WJ3E",
                     *         "timestamp": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            entries: components["schemas"]["AuditEntry"][];
                            /** @description Number of items on all pages. */
                            total: number;
                            /** @description As asked for. */
                            page: number;
                            /** @description As asked for. */
                            per_page: number;
                        };
                        meta: components["schemas"]["Meta"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description For `If-None-Match`. */
                    ETag: string;
                    /** @description How long it may be kept. */
                    "Cache-Control": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The document is the one that `If-None-Match` names. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
