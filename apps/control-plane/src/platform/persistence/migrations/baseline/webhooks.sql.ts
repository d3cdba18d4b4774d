/** Webhook endpoints, the events that were sent to them, and each delivery with its attempts. */
export const WEBHOOKS = `
CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  url text NOT NULL,
  events text[] NOT NULL,
  sealed_secret bytea NOT NULL,
  sealed_previous_secret bytea,
  previous_secret_expires_at timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT webhook_endpoints_id_form CHECK (id ~ '^wh_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT webhook_endpoints_events_not_empty CHECK (cardinality(events) > 0),
  CONSTRAINT webhook_endpoints_previous_secret_ends CHECK (
    (sealed_previous_secret IS NULL) = (previous_secret_expires_at IS NULL)
  ),
  CONSTRAINT webhook_endpoints_disabled_for_a_reason CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  CONSTRAINT webhook_endpoints_reason_known CHECK (disabled_reason IN ('failing', 'manual'))
);
CREATE INDEX webhook_endpoints_newest_first ON webhook_endpoints (organization_id, created_at DESC, id DESC);

CREATE TABLE webhook_events (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  type text NOT NULL,
  body text NOT NULL, -- not json, because exactly these bytes are signed
  created_at timestamptz NOT NULL,
  CONSTRAINT webhook_events_id_form CHECK (id ~ '^evt_[0-9A-HJKMNP-TV-Z]{26}$')
);
CREATE INDEX webhook_events_oldest_first ON webhook_events (created_at);

CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY,
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  endpoint_id text NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event_id text NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
  -- Events of one job are written under the job's lock, so the numbers have the order of the events.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  subject text,
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  tries jsonb NOT NULL DEFAULT '[]',
  next_attempt_at timestamptz,
  held_until timestamptz,
  created_at timestamptz NOT NULL,
  delivered_at timestamptz,
  resend_of text,
  CONSTRAINT webhook_deliveries_id_form CHECK (id ~ '^dlv_[0-9A-HJKMNP-TV-Z]{26}$'),
  CONSTRAINT webhook_deliveries_status_known CHECK (status IN ('pending', 'delivered', 'failed')),
  CONSTRAINT webhook_deliveries_attempts_not_negative CHECK (attempts >= 0),
  CONSTRAINT webhook_deliveries_pending_is_planned CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending')),
  CONSTRAINT webhook_deliveries_delivered_at CHECK ((delivered_at IS NOT NULL) = (status = 'delivered'))
);
CREATE INDEX webhook_deliveries_newest_first ON webhook_deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (endpoint_id, status, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_planned ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_untried ON webhook_deliveries (endpoint_id, subject, seq)
  WHERE status = 'pending' AND attempts = 0;
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (organization_id, held_until)
  WHERE held_until IS NOT NULL;
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id);
`;
