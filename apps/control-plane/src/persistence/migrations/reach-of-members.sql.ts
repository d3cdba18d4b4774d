/** What a member's tokens may be at most, and which member made what. The server of the version before leaves all of it null. */
export const ADD_REACH_OF_MEMBERS: readonly string[] = [
  // The scopes of the token that invited the member; null: everything the role may.
  `ALTER TABLE members ADD COLUMN scopes text[]
    CONSTRAINT members_scopes_not_empty CHECK (cardinality(scopes) > 0)`,
  `ALTER TABLE members ADD COLUMN invited_by_member_id text REFERENCES members (id) ON DELETE SET NULL`,
  `CREATE INDEX members_invited_by ON members (invited_by_member_id)
    WHERE invited_by_member_id IS NOT NULL`,
  `ALTER TABLE enrolment_tokens ADD COLUMN made_by_member_id text
    REFERENCES members (id) ON DELETE SET NULL`,
  `CREATE INDEX enrolment_tokens_made_by ON enrolment_tokens (made_by_member_id)
    WHERE made_by_member_id IS NOT NULL`,
  // The member who was given the text of a token of the organisation.
  `ALTER TABLE api_tokens ADD COLUMN text_known_to_member_id text
    REFERENCES members (id) ON DELETE SET NULL`,
  `CREATE INDEX api_tokens_text_known_to ON api_tokens (text_known_to_member_id)
    WHERE text_known_to_member_id IS NOT NULL`,
  // Another member ended the token's text: only its own member is given a new one.
  `ALTER TABLE api_tokens ADD COLUMN needs_rotation boolean NOT NULL DEFAULT false`,
];

export const DROP_REACH_OF_MEMBERS: readonly string[] = [
  `ALTER TABLE api_tokens DROP COLUMN needs_rotation, DROP COLUMN text_known_to_member_id`,
  `ALTER TABLE enrolment_tokens DROP COLUMN made_by_member_id`,
  `ALTER TABLE members DROP COLUMN invited_by_member_id, DROP COLUMN scopes`,
];
