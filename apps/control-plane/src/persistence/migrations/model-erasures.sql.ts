/** Private models that were deleted here and that an agent may hold still. A row goes when its agent has answered. */
export const CREATE_MODEL_ERASURES: readonly string[] = [
  `CREATE TABLE model_erasures (
    id text PRIMARY KEY,
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    name text NOT NULL,
    requested_at timestamptz NOT NULL,
    sent_at timestamptz,
    CONSTRAINT model_erasures_id_form CHECK (id ~ '^ers_[0-9A-HJKMNP-TV-Z]{26}$')
  )`,
  `CREATE INDEX model_erasures_of_agent ON model_erasures (agent_id, requested_at)`,
];

export const DROP_MODEL_ERASURES: readonly string[] = ['DROP TABLE model_erasures'];
