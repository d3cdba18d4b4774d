import type { PreparedStatement } from '../../../platform/persistence/statements.js';

/** $1 = organisation, $2 = locale, or null for all locales. */
const WHERE = 'WHERE organization_id = $1 AND ($2::text IS NULL OR locale = $2)';

/**
 * Lists a page of an organisation's models, newest first. Each row contains the total number of models. $3 =
 * rows to skip, $4 = rows to take.
 */
export const LIST_CUSTOM_MODELS = {
  name: 'list_custom_models',
  text: `
  SELECT name, display_name AS "displayName", description, locale, ngram_order AS "ngramOrder", token_type AS "tokenType",
    token_count::float8 AS "tokenCount", ngram_count::float8 AS "ngramCount", facts,
    created_at AS "createdAt", updated_at AS "updatedAt", count(*) OVER ()::integer AS total
  FROM custom_models ${WHERE}
  ORDER BY created_at DESC, name OFFSET $3 LIMIT $4`,
} as const satisfies PreparedStatement;

export const COUNT_CUSTOM_MODELS = `SELECT count(*)::integer AS total FROM custom_models ${WHERE}`;
