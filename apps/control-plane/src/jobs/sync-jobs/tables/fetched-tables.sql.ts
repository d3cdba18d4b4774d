/**
 * Stores the tables of a job. $1 = job, $2 = JSON array of the tables, $3 = JSON array of the columns of their
 * conditions. `json` keeps each text as it is.
 */
export const INSERT_RULES = `
  INSERT INTO sync_job_rules (job_id, position, rules, where_columns)
  SELECT $1, number - 1, rules, CASE json_typeof(columns) WHEN 'array' THEN columns END
  FROM ROWS FROM (json_array_elements($2::json), json_array_elements($3::json))
    WITH ORDINALITY AS one (rules, columns, number)`;

/** Reads tables by position. $1 = job, $2 = positions, or null for all. */
export const READ_RULES = `
  SELECT position, rules, where_columns AS "whereColumns" FROM sync_job_rules
  WHERE job_id = $1 AND ($2::integer[] IS NULL OR position = ANY ($2)) ORDER BY position`;

/** Reads the tables with a subset, without their rules. Parses only texts that may have one. $1 = job. */
export const READ_SUBSETS = `
  SELECT rules ->> 'name' AS name, rules -> 'subset' AS subset FROM sync_job_rules
  WHERE job_id = $1 AND CASE WHEN rules::text LIKE '%"subset"%' THEN rules -> 'subset' IS NOT NULL END
  ORDER BY position`;

/** Reads the texts of tables, joined by commas. $1 = job, $2 = first position, $3 = number of tables. */
export const READ_TEXTS = `
  SELECT string_agg(rules::text, ',' ORDER BY position) AS text FROM sync_job_rules
  WHERE job_id = $1 AND position >= $2 AND position < $2 + $3`;
