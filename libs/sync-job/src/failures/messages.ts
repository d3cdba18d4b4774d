import { capital, type Sentence } from './wording.js';

const INTERNAL: Sentence = (p) =>
  `${p.Worker} met a fault of its own at ${p.where}; ${decapital(p.log)} has the details. ${p.outcome}`;

function decapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** What happened, where, and what to do, by the code of the failure. */
export const MESSAGES: Readonly<Record<string, Sentence>> = {
  internal: INTERNAL,
  policy_denied: (p) =>
    p.table
      ? `The agent's policy does not admit this use of ${p.where}: its never_preserve or protect keeps original values from being copied or compared, or allow_where is false. Give the column a rule, or change the policy on ${p.machine}.`
      : `The agent's policy file does not admit ${p.database} for this use. Add it to the policy on ${p.machine}, or use a database that it names.`,
  unlisted_not_rejected: (p) =>
    `The agent's policy demands that ${p.table ?? 'each table'} rejects columns without a rule. Set unlisted_columns to "reject" and list every column.`,
  training_not_allowed: (p) =>
    `The agent's policy does not allow private models to be trained on ${p.where}. Use a model that is there, or set allow_training in the policy on ${p.machine}.`,
  min_values_too_low: (p) =>
    `The min_values of the rule for ${p.where} is below what the agent's policy demands: its min_values_floor, and 5 at least for a protected column. Ask for a greater one.`,
  connection_failed: (p) =>
    `${p.Worker} could not connect to ${p.database}. Check host, port and firewall as seen from ${p.machine}. A server on another machine has to speak TLS, unless its URL says sslmode=disable.`,
  sslmode_too_weak: (p) =>
    `The connection string of ${p.database} asks for weaker encryption than the agent's policy demands: sslmode=require, or what its min_sslmode says. Write sslmode=verify-full, or what the policy on ${p.machine} demands.`,
  authentication_failed: (p) => `${p.Database} refused the user or the password of the connection string.`,
  database_not_found: (p) => `${p.Database} does not exist on its server. Create it, or correct its name.`,
  secret_unreadable: (p) =>
    `The agent could not open the sealed connection string of ${p.database}. It may have been enrolled anew since: ${p.again}.`,
  server_too_old: (p) => `The server of ${p.database} is older than PostgreSQL 14, the oldest one supported.`,
  pg_dump_too_old: (p) =>
    `The server of ${p.database} is newer than the pg_dump on ${p.machine}. Install the client tools of the server's major version there.`,
  pg_dump_missing: (p) =>
    `pg_dump and pg_restore were not found on ${p.machine}. Install the PostgreSQL client tools there, or set UNDERSTUDY_AGENT_PG_BIN_DIR.`,
  table_not_found: (p) =>
    `${capital(p.table ?? 'A table')} does not exist in ${p.database}. Names are read as in SQL: without a schema they mean public, and capitals need double quotes.`,
  column_not_found: (p) =>
    `The rule for ${p.column ?? 'a column'} has no column to go with: ${p.table ?? 'the table'} of ${p.database} has none of that name.`,
  column_unlisted: (p) =>
    `${capital(p.table ?? 'A table')} of the source has ${p.column ?? 'a column'} without a rule, and unlisted_columns is "reject". Add a rule for it or allow it.`,
  column_mismatch: (p) =>
    `${capital(p.table ?? 'A table')} has other columns, or columns of other types, on the target than on the source. Bring the target's table in line, or drop it to have it created.`,
  rule_invalid: (p) => `The rule for ${p.where} does not fit the column's type.`,
  rule_misfit: (p) =>
    `The rule for ${p.where} makes values that the column does not take: of another type, too long or too large, not of its enum, against a CHECK constraint, or NULL where NULL is not allowed. Nothing was copied. ${p.outcome}`,
  unique_capacity: (p) =>
    `The rule for ${p.where} has fewer different values than the column has rows, and no value may repeat there. ${p.outcome} Let the rule make more: a wider range, more digits, or a template with {{uuid}} in it.`,
  key_rules_contradict: (p) =>
    `The rule for ${p.where} and that of the other end of its foreign key would make different values. Give the key alone a rule (what references it follows), or both the same one. Both columns need types of one kind.`,
  key_referenced_elsewhere: (p) =>
    `The rule for ${p.where} would change a key that another table of the target references. List that table in the job too, or leave the key as it is.`,
  key_too_large: (p) =>
    `The values of ${p.where} are too many to be told apart in ${p.worker}'s memory (10,000,000 is the most). ${p.outcome} Use a rule that needs no memory: a uuid, a template with {{uuid}} in it, or integers from a range that holds the originals.`,
  too_few_values: (p) =>
    `The rule for ${p.where} says "differs": true and makes too few distinct values: with fewer than 20, or fewer than 1,000 on a column that the agent's policy protects, the new values reveal what the old ones were not. ${p.outcome} Leave "differs" out, or let the rule make more values.`,
  model_not_found: (p) =>
    `The model that the rule for ${p.where} names is not on the agent. Train it there, or add "train" to the rule.`,
  hosted_model_missing: (p) =>
    `A custom model that the rules name was deleted after the job was accepted. ${p.outcome} Upload it and ${p.again}.`,
  hosted_model_mismatch: (p) =>
    `A custom model reached the agent with other content than it had when the job was accepted; the agent refuses it. ${p.outcome} Check what stands between the agent and the control plane.`,
  hosted_model_unavailable: (p) =>
    `The agent could not fetch a custom model from the control plane${p.eachTime}. ${p.outcome} Check that it reaches UNDERSTUDY_CONTROL_URL.`,
  training_refused: (p) =>
    `No private model can be trained on ${p.where}: it needs a text column with enough distinct values (100 at least).`,
  generation_failed: (p) => `The rule for ${p.where} could not produce a value. Loosen its constraints.`,
  permission_denied: (p) =>
    `The user of ${p.database} lacks a privilege${p.table ? ` on ${p.table}` : ''}: SELECT is needed on the source; CREATE on the target database, and ownership of the tables there (or SELECT, INSERT and TRUNCATE, where no trigger, rule or foreign key is to be switched off).`,
  constraint_violation: (p) =>
    `The new rows of ${p.where} break ${p.constraint} of the target. ${p.outcome} Look for such rows in the source.`,
  value_invalid: (p) =>
    `A value for ${p.where} is not acceptable to the column's type on the target, or is too large to be masked (documents over 16 MiB or 500 levels, ruled columns over 64 MiB a row). ${p.outcome}`,
  connection_lost: (p) => `The connection to ${p.database} was lost${p.eachTime}. ${p.outcome}`,
  lease_lost: () =>
    `No agent kept in touch long enough to finish the job, on any of its attempts. Check that the agent runs and can reach the control plane.`,
  same_database: () => `Source and target are the same database. Choose another target.`,
  database_error: (p) =>
    `${p.Database} refused a statement${p.table ? ` on ${p.table}` : ''}. ${p.outcome} ${p.log} has the server's words.`,
  disk_full: (p) => `${p.Database} has run out of space. ${p.outcome}`,
  create_failed: (p) =>
    `${capital(p.table ?? 'A table')} could not be created on the target from the source's definition: something it needs (a type, an extension, a function) is missing there. ${p.outcome}`,
  verification_failed: (p) =>
    `What was copied of ${p.table ? p.where : 'the tables'} is not what was to be copied: "verification" says which check found it. ${p.outcome} ${p.log} has the details; please report it.`,
  prerequisite_missing: (p) =>
    `A missing table needs an extension, a range type or the like that the target does not have, and that cannot be created there without being seen before the job completes. ${p.outcome} ${p.log} names it: create it on the target and ${p.again}.`,
  where_invalid: (p) =>
    `The agent does not read the where of ${p.table ?? 'a table'}: its version is older than the condition needs. ${p.outcome} Update the agent.`,
  where_column_not_found: (p) =>
    `The where of ${p.table ?? 'a table'} names ${p.column ?? 'a column'}, which the table does not have. Names are read as in SQL: capitals need double quotes.`,
  where_type_mismatch: (p) =>
    `The where of ${p.table ?? 'a table'} compares ${p.column ?? 'a column'} with something of another type, or it is of a type that conditions do not compare. Dates and times are written in ISO 8601.`,
  subset_too_large: (p) =>
    `The subset has more rows, over more of the tables' pages, than ${p.worker} keeps track of in its memory. ${p.outcome} Ask for fewer rows, or leave out the subset.`,
  subset_not_possible: (p) =>
    `${capital(p.table ?? 'A table')} has a partition that is a foreign table, or rows whose place is not fixed: no subset of it, or of a table that it refers to, can be taken. ${p.outcome}`,
  cancelled: (p) => `The job was cancelled. ${p.outcome}`,
  snapshot_lost: (p) =>
    `The transaction that held the source as of one instant has ended${p.eachTime}. ${p.outcome} Look for what ends long transactions there: a restart, an administrator, idle_in_transaction_session_timeout, old_snapshot_threshold.`,
  lock_timeout: (p) =>
    `Another session holds a lock on ${p.where}${p.table ? ` in ${p.database}` : ''}, and did not let go of it in time. ${p.outcome} ${p.log} names its process.`,
  stalled: (p) =>
    `Nothing moved any more between ${p.worker} and ${p.database}${p.eachTime}, and no lock is the reason. ${p.outcome} Check the network between them.`,
  pooler_unsupported: (p) =>
    `${p.Database} is reached through a pooler that gives each transaction another server process (PgBouncer's pool_mode "transaction" or "statement"). Name the server itself, or a pool with pool_mode "session".`,
  agent_disk_low: () =>
    `Each agent that was offered the job had less free disk space than its UNDERSTUDY_AGENT_MIN_FREE_DISK_MB requires. Free space on the agent's machine.`,
  staging_untrusted: (p) =>
    `${p.Database} has a schema of the name under which the job keeps its unfinished rows, but it belongs to another role, or others may change it. ${p.outcome} Find out who made it, drop it, and ${p.again}.`,
  agent_restarted: (p) => `The agent ended while it worked on the job${p.eachTime}. Look at its log.`,
};
