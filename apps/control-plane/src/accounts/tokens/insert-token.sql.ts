export const INSERT_TOKEN = `
  INSERT INTO api_tokens
    (id, organization_id, name, role, scopes, member_id, token_hash, token_hint, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
