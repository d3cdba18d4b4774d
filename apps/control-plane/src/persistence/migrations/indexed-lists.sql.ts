/** What lists count and page through is in an index of its own, in the list's order. */
export const ADD_INDEXES_OF_LISTS: readonly string[] = [
  `CREATE INDEX audit_entries_of_action ON audit_entries (organization_id, action, occurred_at DESC, id DESC)`,
  `CREATE INDEX audit_entries_of_actor ON audit_entries (organization_id, actor_id, occurred_at DESC, id DESC)`,
  `CREATE INDEX audit_entries_of_actor_member ON audit_entries (organization_id, actor_member_id, occurred_at DESC, id DESC)
    WHERE actor_member_id IS NOT NULL`,
  `CREATE INDEX api_tokens_newest_first ON api_tokens (organization_id, created_at DESC, id DESC)
    WHERE revoked_at IS NULL`,
  `CREATE INDEX enrolment_tokens_newest_first ON enrolment_tokens (organization_id, created_at DESC, id DESC)`,
  `CREATE INDEX members_newest_first ON members (organization_id, invited_at DESC, id DESC)`,
  `CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (endpoint_id, status, created_at DESC, id DESC)`,
];

export const DROP_INDEXES_OF_LISTS: readonly string[] = [
  'audit_entries_of_action',
  'audit_entries_of_actor',
  'audit_entries_of_actor_member',
  'api_tokens_newest_first',
  'enrolment_tokens_newest_first',
  'members_newest_first',
  'webhook_deliveries_by_status',
].map((index) => `DROP INDEX ${index}`);
