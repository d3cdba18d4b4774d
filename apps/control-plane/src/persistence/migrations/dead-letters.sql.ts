/** Messages of agents that were not applied: ids and codes, no content. Agents can be anybody, so nothing is referenced. */
export const CREATE_DEAD_LETTERS: readonly string[] = [
  `CREATE TABLE dead_letters (
    agent_id text NOT NULL,
    code text NOT NULL,
    journal_seq bigint NOT NULL, -- 0 when the message names none
    stream_seq bigint NOT NULL,
    pattern text,
    work_id text,
    sqlstate text,
    times integer NOT NULL DEFAULT 1,
    first_at timestamptz NOT NULL DEFAULT now(),
    last_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (agent_id, code, journal_seq)
  )`,
  `CREATE INDEX dead_letters_newest_of_agent ON dead_letters (agent_id, last_at DESC)`,
  `CREATE INDEX dead_letters_newest ON dead_letters (last_at DESC)`,
];

export const DROP_DEAD_LETTERS: readonly string[] = ['DROP TABLE dead_letters'];
