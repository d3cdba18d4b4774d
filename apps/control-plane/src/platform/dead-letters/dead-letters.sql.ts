/**
 * Inserts a dead letter. If the message is a repetition, increments the counter of its row instead. Agents
 * repeat messages that are not acknowledged, so a message with the same agent, code and journal number is a
 * repetition.
 * $1 = agent, $2 = code, $3 = journal number, $4 = stream sequence, $5 = pattern, $6 = work id, $7 =
 * SQLSTATE.
 */
export const RECORD_DEAD_LETTER = `
  INSERT INTO dead_letters AS known (agent_id, code, journal_seq, stream_seq, pattern, work_id, sqlstate)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (agent_id, code, journal_seq) DO UPDATE
  SET times = least(known.times, 2147483646) + 1, last_at = now(),
    stream_seq = excluded.stream_seq, sqlstate = excluded.sqlstate
  RETURNING times = 1 AS "isNew"`;

/** Deletes all but the newest rows of one agent. $1 = agent, $2 = number of rows to keep. */
export const FORGET_BEYOND = `
  DELETE FROM dead_letters
  WHERE (agent_id, code, journal_seq) IN (
    SELECT agent_id, code, journal_seq FROM dead_letters
    WHERE agent_id = $1
    ORDER BY last_at DESC
    OFFSET $2
  )`;

/** Deletes rows whose last repetition is older than $1 days. $2 = limit. */
export const FORGET_OLD = `
  DELETE FROM dead_letters
  WHERE (agent_id, code, journal_seq) IN (
    SELECT agent_id, code, journal_seq FROM dead_letters
    WHERE last_at < now() - $1 * interval '1 day' LIMIT $2 FOR UPDATE SKIP LOCKED
  )`;

/** Selects the newest $1 rows, the newest first. */
export const LIST_DEAD_LETTERS = `
  SELECT letter.agent_id AS "agentId", agents.organization_id AS "organizationId", letter.code, letter.sqlstate,
    letter.pattern, letter.work_id AS "workId", letter.journal_seq::text AS "journalSeq", letter.times,
    letter.first_at AS "firstAt", letter.last_at AS "lastAt"
  FROM dead_letters AS letter
  LEFT JOIN agents ON agents.id = letter.agent_id
  ORDER BY letter.last_at DESC, letter.agent_id, letter.code, letter.journal_seq
  LIMIT $1`;
