import { capital, decapital, type MessageTemplate } from './message-template.js';

/** Everything about a failure code. A new code also needs a number in `FailureCode` of proto/understudy/v1/event.proto. */
export interface FailureDefinition {
  /** The exit code of `understudy sync`, by name. `database`: the job may be valid, but a database cannot be used. */
  readonly exit: 'refused' | 'database' | 'unequal' | 'internal';
  /**
   * Whether another attempt of the job may succeed. The control plane then gives the job to an agent again, and
   * the failed attempt does not delete its staging tables.
   */
  readonly isRetryable?: true;
  /** The message for the owner of the job: what happened, where, and what to do. */
  readonly text: MessageTemplate;
  /** The message if `understudy` runs the job on the reader's machine, where it differs. */
  readonly localText?: MessageTemplate;
}

/** The message about an extension that a missing table needs and the target lacks. */
const extensionLacking: MessageTemplate = (p) =>
  `The definition of ${p.table ?? 'a missing table'} needs ${p.object ?? 'an extension'}, which the target lacks. ${p.outcome} Install the extension on the target before the job runs.`;

const having =
  (exit: FailureDefinition['exit']) =>
  (text: MessageTemplate, localText?: MessageTemplate): FailureDefinition => ({
    exit,
    text,
    ...(localText && { localText }),
  });
const refused = having('refused');
const database = having('database');
const unequal = having('unequal');
const internal = having('internal');
const retried = (failure: FailureDefinition): FailureDefinition => ({ ...failure, isRetryable: true });

/**
 * The failure codes of sync jobs, with the message and, where it differs, the message of the command line. The codes
 * are stable.
 */
export const FAILURES = {
  internal: internal(
    (p) =>
      `${p.Worker} had an internal error while it worked on ${p.where}; ${decapital(p.log)} has the details. ${p.outcome}`,
  ),
  policy_denied: refused(
    (p) =>
      p.table
        ? `The agent's policy does not allow this use of ${p.where}. Its never_preserve or protect prevents original values from being copied or compared, or its allow_where is false. Give the column a rule, or change the policy on ${p.machine}. If a foreign key of the column decides which rows a subset has, copy the referenced table completely, or protect both columns of the key. If the column is in the key of a partitioned table, copy that table instead of its partitions.`
        : `The agent's policy file does not allow this use of ${p.database}. Add it to the policy on ${p.machine}, or use a database that it names. A job that replaces the whole database needs the role replace. It needs allow_security_definer to keep SECURITY DEFINER, allow_large_objects to copy large objects, and allow_end_sessions to end sessions.`,
    (p) =>
      `The job file does not allow this use of ${p.database}. It needs "allow_security_definer": true to keep SECURITY DEFINER, "allow_large_objects": true to copy large objects, and "allow_end_sessions": true to end sessions.`,
  ),
  unlisted_not_rejected: refused(
    (p) =>
      `The agent's policy requires that ${p.table ?? 'each table'} rejects columns without a rule. Set unlisted_columns to "reject" and list every column.`,
    (p) => `Columns of ${p.table ?? 'a table'} without a rule must be rejected.`,
  ),
  training_not_allowed: refused(
    (p) =>
      `The agent's policy does not allow a private model to be trained on ${p.where}. Use an existing model, or set allow_training in the policy on ${p.machine}.`,
    (p) => `No private model may be trained on ${p.where}.`,
  ),
  min_values_too_low: refused(
    (p) =>
      `The min_values of the rule for ${p.where} is lower than the agent's policy allows. Set at least the policy's min_values_floor, and at least 5 for a protected column.`,
    (p) => `The min_values of the rule for ${p.where} is too low.`,
  ),
  connection_failed: database(
    (p) =>
      `${p.Worker} could not connect to ${p.database}. Check the host, the port and the firewalls between ${p.machine} and the server. A server on another machine must support TLS, unless its URL sets sslmode=disable.`,
  ),
  sslmode_too_weak: refused(
    (p) =>
      `The connection string of ${p.database} requests weaker encryption than the agent's policy requires. The minimum is sslmode=require or the policy's min_sslmode. Set sslmode=verify-full, or the mode that the policy on ${p.machine} requires.`,
    (p) => `The URL of ${p.database} requests encryption that is too weak.`,
  ),
  source_code_refused: refused(
    (p) =>
      p.isExtension
        ? extensionLacking(p)
        : p.object === undefined && p.table === undefined
          ? `The job replaces the whole database, so it creates code of the source on the target. ${p.outcome} Set allow_source_code: true in the policy on ${p.machine}, if you trust everybody who can change definitions of the source.`
          : `${capital(p.object ?? 'A function')} is code of the source, or calls it, and the definition of ${p.table ?? 'a missing table'} needs it. Code of the source would run on the target with the role of the job. ${p.outcome} Create the table on the target without this code, or set "source_code": "omit" in the job. This option cannot leave out types, partition keys, generated columns that have no rule, and parts of typed tables. To create the code, set allow_source_code: true in the policy on ${p.machine}.`,
    (p) =>
      p.isExtension
        ? extensionLacking(p)
        : `${capital(p.object ?? 'a function')} is code of the source, or calls it, and the definition of ${p.table ?? 'a missing table'} needs it. ${p.outcome} The option "source_code" cannot leave out types, partition keys, generated columns that have no rule, and parts of typed tables. Create the table on the target without this code, or remove the option.`,
  ),
  object_untrusted: refused(
    (p) =>
      `The definition of ${p.table ?? 'a table'} needs ${p.object ?? 'an object'}, which the target has. It belongs to another role, which could run code of its own with the role of the job. ${p.outcome} If you trust the object, give it to the owner of the database with ALTER … OWNER TO. Otherwise, drop it. The job creates what a missing table needs. To use such objects, set allow_shared_schemas: true in the policy on ${p.machine}.`,
    (p) =>
      `The definition of ${p.table ?? 'a table'} needs ${p.object ?? 'an object'}, which the target has. It belongs to another role, which could run code of its own with the role of the job. ${p.outcome} If you trust the object, give it to the owner of the database with ALTER … OWNER TO. Otherwise, drop it. The job creates what a missing table needs.`,
  ),
  superuser_target: refused(
    (p) =>
      `The role of ${p.database} is a superuser, can become one, or may run programs on the server's machine. Use a role with the least privileges, which "understudy-agent grants" prints. To allow such a role, set allow_superuser_target: true in the policy on ${p.machine}.`,
    (p) => `The role of ${p.database} is a superuser, or can become one.`,
  ),
  authentication_failed: database(
    (p) => `${p.Database} refused the user or the password of the connection string.`,
  ),
  database_not_found: database(
    (p) => `${p.Database} does not exist on its server. Create it, or correct its name.`,
  ),
  secret_unreadable: refused(
    (p) =>
      `The agent could not open the sealed connection string of ${p.database}. The agent may have been enrolled again since the string was sealed: ${p.again}.`,
    (p) => `The URL of ${p.database} cannot be read.`,
  ),
  server_too_old: database(
    (p) => `The server of ${p.database} is older than PostgreSQL 14, the oldest supported version.`,
  ),
  pg_dump_too_old: refused(
    (p) =>
      `The server of ${p.database} is newer than the pg_dump on ${p.machine}. Install the client tools of the server's major version there. ${p.log} has both versions.`,
  ),
  pg_dump_missing: refused(
    (p) =>
      `pg_dump and pg_restore were not found on ${p.machine}. Install the PostgreSQL client tools there, or set UNDERSTUDY_AGENT_PG_BIN_DIR.`,
    () =>
      'pg_dump and pg_restore were not found on this machine. Install the PostgreSQL client tools, or pass their folder with --pg-bin-dir.',
  ),
  pg_dump_failed: refused(
    (p) =>
      `pg_dump or pg_restore failed on ${p.machine}: it was killed, lacked memory, or could not write its files. ${p.outcome} Check the free space, the permissions of the state folder and the memory limit there. ${p.log} has the details.`,
    (p) =>
      `pg_dump or pg_restore failed on this machine: it was killed, lacked memory, or could not write its files. ${p.outcome} Check the temporary folder and the free memory. ${p.log} has the details.`,
  ),
  table_not_found: refused(
    (p) =>
      `${capital(p.table ?? 'A table')} does not exist in ${p.database}. Names are read as in SQL: a name without a schema is in schema public, and capital letters need double quotes. Tables of PostgreSQL itself, such as pg_catalog and information_schema, cannot be listed.`,
  ),
  not_a_table: refused(
    (p) =>
      `${capital(p.table ?? 'A table')} is ${p.relation} in ${p.database}, and a job copies only tables and partitioned tables. ${p.database.includes('target') ? 'Drop it or rename it, or copy to another schema.' : 'Remove it from the job. To copy the rows that a view shows, list the tables that it reads.'}`,
  ),
  unlogged_on_standby: refused(
    (p) =>
      `${capital(p.table ?? 'A table')} is unlogged or has an unlogged partition, and ${p.database} is a standby, which does not have the rows of unlogged tables. Use the primary server as the source, or remove the table from the job.`,
  ),
  encoding_invalid: database(
    (p) =>
      `A text in ${p.where} cannot be converted between UTF-8 and the server_encoding of ${p.database}. Its bytes are invalid, or the encoding lacks a character. ${p.outcome} Correct the text on the source. An SQL_ASCII database accepts bytes of any encoding, but only valid UTF-8 can be copied.`,
  ),
  target_read_only: database(
    (p) =>
      `${p.Database} is read-only: default_transaction_read_only is on, for the server, the database or the role, or the server has become a standby during the job. ${p.outcome} Turn the setting off if the job may write there, or use the primary server.`,
  ),
  target_in_recovery: database(
    (p) =>
      `${p.Database} is a standby in recovery, which accepts no changes. Nothing was written. Use the primary server as the target, or promote the standby.`,
  ),
  setting_refused: database(
    (p) =>
      `${p.Database} changes session_replication_role, zero_damaged_pages or ignore_checksum_failure. These settings can change what is copied, and the role may not change them back. ${p.outcome} Run ALTER DATABASE or ALTER ROLE with RESET and the name of the setting.`,
  ),
  event_trigger_refused: database(
    (p) =>
      `An event trigger of ${p.database} raised an error when the job created, changed or dropped ${p.table ? `${p.table} or a part of it` : 'a schema or a table'}. ${p.outcome} Disable the trigger for the job (ALTER EVENT TRIGGER … DISABLE), or exempt the job's role in it. ${p.log} has the server's message.`,
  ),
  table_altered: database(
    (p) =>
      `${capital(p.table ?? p.object ?? 'a table')} in ${p.database} is not as the job created or found it. An event trigger can change tables, so that rows are changed, hidden or passed on. A function that a CHECK constraint, an index, a generated column or statistics call can change rows, too. ${p.outcome} Disable the event trigger for the job (ALTER EVENT TRIGGER … DISABLE), exempt the job's role in it, or let the function write to no table of the job.`,
  ),
  locks_exhausted: database(
    (p) =>
      `The server of ${p.database} has no room for all locks that the job and its other sessions need. ${p.outcome} ${p.locksPerTransaction === undefined ? 'Raise max_locks_per_transaction' : `Set max_locks_per_transaction to at least ${p.locksPerTransaction}`} there and restart the server, or list fewer tables and partitions in one job.`,
  ),
  sessions_exhausted: database(
    (p) =>
      `${p.Database} gave ${p.worker} no further session. ${p.outcome} Raise the pooler's pool size (default_pool_size), the CONNECTION LIMIT of the role or database, or the server's max_connections.`,
  ),
  too_few_sessions: database(
    (p) => `${p.Database} gave ${p.worker} ${p.sessions}. Nothing was written. ${p.raiseSessions}`,
  ),
  memory_exhausted: database(
    (p) =>
      `The server of ${p.database} ran out of memory${p.table ? ` while it worked on ${p.table}` : ''}. ${p.outcome} Lower work_mem, maintenance_work_mem or max_parallel_workers there, or give the server more memory.`,
  ),
  tables_unlisted: refused(
    (p) =>
      `${capital(p.table ?? 'A table')} of the source is neither in tables nor in ignored_tables, and unlisted_tables is "reject". Add it to tables with rules for its personal columns. A job that replaces only tables can also have it in ignored_tables.`,
  ),
  ignored_table_not_found: refused(
    () =>
      `A name in ignored_tables matches no table of the source. Correct or remove it. Names are read as in tables; views and foreign tables do not count as tables.`,
  ),
  column_not_found: refused(
    (p) =>
      `The rule for ${p.column ?? 'a column'} matches no column: ${p.table ?? 'the table'} of ${p.database} has no column of that name.${p.similar === undefined ? '' : ` Did you mean ${p.similar}?`}`,
  ),
  column_unlisted: refused(
    (p) =>
      `${capital(p.table ?? 'A table')} of the source has ${p.column ?? 'a column'} without a rule, and unlisted_columns is "reject". Add a rule for the column. A job that replaces only tables can also change unlisted_columns.`,
  ),
  column_mismatch: refused(
    (p) =>
      `${capital(p.table ?? 'A table')} has different columns or column types on the target than on the source. Change the target's table and its types to match, or drop them so that the job creates them.`,
  ),
  rule_invalid: refused(
    (p) =>
      `The rule for ${p.where} cannot be used. It reads a column without a rule, or contains a parameter or a value that ${p.worker} does not know or cannot combine. ${p.outcome} ${p.log} names the part of the rule: correct it, or use the same version for all programs.`,
  ),
  listed_twice: refused(
    (p) =>
      `${capital(p.where)} is listed twice. Two notations can mean the same name: customers, public.customers and "customers". Keep one entry.`,
  ),
  partition_listed: refused(
    (p) =>
      `${capital(p.table ?? 'A table')} is a partition of another table in the list, so its rows would be copied twice. List only the partitioned table: its rules apply to all partitions.`,
  ),
  column_generated: refused(
    (p) =>
      `${capital(p.where)} is a generated column, so the database computes its values and no rule can set them. Remove the rule. Give rules to the columns that the expression reads.`,
  ),
  json_paths_refused: refused(
    (p) =>
      `The rule for ${p.where} has json paths. These need a column of type json or jsonb that is neither a key nor part of a foreign key. Use a rule for the whole value.`,
  ),
  rules_in_cycle: refused(
    (p) =>
      `The rule for ${p.where} reads its own column, or reads a column whose rule depends on it. No order of the columns makes such values. Remove one of the references.`,
  ),
  rule_depends_on_row: refused(
    (p) =>
      `The rule for ${p.where} reads other columns or counts rows. The new values of a key or of a rule with "consistent" must depend only on the original value, so that equal originals stay equal. Remove the references and the row number, or remove "consistent".`,
  ),
  model_exhausted: refused(
    (p) =>
      `The rule for ${p.where} has no value left. No value of its model or list is new, meets the constraints and fits the length of the column. A private model writes no value that it was trained on. ${p.outcome} Loosen the constraints or exclude_originals. For a private model, train on more distinct values or a lower order, or use another rule.`,
  ),
  nullable_refused: refused(
    (p) =>
      `The rule for ${p.where} sets "nullable", but no NULL may be in the column. It is NOT NULL, a referenced key, or part of a unique key with NULLS NOT DISTINCT. Remove "nullable".`,
  ),
  model_trained_twice: refused(
    (p) =>
      `The rule for ${p.where} trains a model that another column's rule also trains. Train it on one of the columns, or give the models different names.`,
  ),
  composition_invalid: refused(
    (p) =>
      `A composition that the rules use reached ${p.worker} with different content than it had when the job was accepted. ${p.outcome} Register the composition again and ${p.again}.`,
  ),
  rule_misfit: refused((p) =>
    p.isForeignKey
      ? `The rule for ${p.where} changes a generated column that is part of ${p.constraint}, and the other end of the key keeps its values. References would point to other rows or to none. No row was copied. ${p.outcome} Remove the rule, or write one whose values do not change the generated column.`
      : p.isConstraintKnown
        ? `The rule for ${p.where} makes values that violate ${p.constraint} of the column. No row was copied. ${p.outcome} Change the rule so that it makes only values that the constraint accepts.`
        : `The rule for ${p.where} makes values that the column does not accept. They have another type, are too long or too large, are not in its enum, violate its domain, or an index or a generated column cannot be computed from them. No row was copied. ${p.outcome} Change the rule, or limit its values with constraints or a transform.`,
  ),
  unique_capacity: refused(
    (p) =>
      `The rule for ${p.where} can make fewer distinct values than the column has rows, and the values must be unique. ${p.outcome} Let the rule make more values: use a wider range, more digits, or a template with {{uuid}} in it. If the source does not enforce a foreign key of a protected column, the key accepts only {{uuid}} or a wide range of integers.`,
  ),
  key_rules_contradict: refused(
    (p) =>
      `The rule for ${p.where} and the rule at the other end of its foreign key would make different values. Give a rule to the referenced key only: the referencing columns then get the same values. Or give both columns the same rule.`,
  ),
  key_referenced_elsewhere: refused(
    (p) =>
      `The rule for ${p.where} would change a key that another table of the target references, or a key that its partition shares with unlisted partitions. Add that table or all partitions to the job, or leave the key unchanged.`,
  ),
  key_too_large: refused(
    (p) =>
      `The values of ${p.where} are too many to be kept in ${p.worker}'s memory (at most 10,000,000). ${p.outcome} Use a rule that needs no memory: a uuid, a template with {{uuid}} in it, or integers from a range that contains the original values.`,
  ),
  key_equality_unsupported: refused(
    (p) =>
      `The rule for ${p.where} cannot give equal references equal values. The columns that foreign keys join with it compare values in different ways: by another type, another collation, or an operator class that is not the default of its type. No row was copied. ${p.outcome} Give these columns one type and one collation, and give their unique index the default operator class. Or remove the rule.`,
  ),
  too_few_values: refused(
    (p) =>
      `The rule for ${p.where} sets "differs": true and makes too few distinct values, so the original values could be guessed by elimination. At least 20 are needed. ${p.outcome} Remove "differs", or let the rule make more values.`,
    (p) =>
      `The rule for ${p.where} sets "differs": true and makes fewer than 20 distinct values, so the original values could be guessed by elimination. ${p.outcome} Remove "differs", or let the rule make more values.`,
  ),
  differs_refused: refused(
    (p) =>
      `The rule for ${p.where} sets "differs": true. The agent refuses this on a column that its policy protects, and on one with the same consistent rule. The new values would show what the originals are not. ${p.outcome} Remove "differs" from the rule.`,
    (p) => `The rule for ${p.where} sets "differs": true, and the column is protected.`,
  ),
  consistent_range_refused: refused(
    (p) =>
      `The rule for ${p.where} combines "consistent" with a range of integers, and the agent's policy protects the column. The new values would show which originals are inside the range. ${p.outcome} Remove "consistent", let the range contain all values of the column's type, or use a rule of another kind, such as a list. For a unique column or a key, a range with at least twice as many values as the column also works.`,
    (p) =>
      `The rule for ${p.where} combines "consistent" with a range of integers, and the column is protected.`,
  ),
  model_text_refused: refused(
    (p) =>
      `The rule for ${p.where} chooses, compares, tests or cuts text of a private model, and the agent's policy protects columns. The job's result could show whether a chosen text is an original. ${p.outcome} Only insert such text into the text of a text column: {{name}}, concat, +, lowercase, uppercase, capitalize, title, trim, ascii and slug are accepted. Remove starts_with, ends_with, contains and initials. Remove "differs": true. If the rule reads another column with such text, set "differs": false. If the column is in a unique key, add {{uuid}}. Or use a built-in model.`,
    (p) =>
      `The rule for ${p.where} chooses, compares, tests or cuts text of a private model, and columns are protected.`,
  ),
  model_not_found: refused(
    (p) =>
      `The agent does not have the model that the rule for ${p.where} names, or cannot read its file. Train it there, or add "train" to the rule.`,
    (p) =>
      `The rule for ${p.where} names a private model that this state folder does not contain, or whose file cannot be read. Add "train" to the rule, or pass the folder that contains the model with --state.`,
  ),
  hosted_model_missing: refused(
    (p) =>
      `A custom model that the rules name was deleted after the job was accepted. ${p.outcome} Upload the model again and ${p.again}.`,
    (p) => `A model file that the job file names no longer exists. ${p.outcome}`,
  ),
  hosted_model_mismatch: refused(
    (p) =>
      `A custom model reached the agent with different content than it had when the job was accepted, so the agent refused it. ${p.outcome} Check the proxies between the agent and the control plane.`,
    (p) => `A model file changed while it was read. ${p.outcome} Run the job again.`,
  ),
  hosted_model_unavailable: retried(
    refused(
      (p) =>
        `The agent could not fetch a custom model from the control plane${p.eachTime}. ${p.outcome} Check that the agent can reach UNDERSTUDY_CONTROL_URL.`,
      (p) => `A model file cannot be read. ${p.outcome}`,
    ),
  ),
  tables_unavailable: retried(
    refused(
      (p) =>
        `The agent could not fetch the tables and rules of the job from the control plane${p.eachTime}. ${p.outcome} Check that the agent can reach UNDERSTUDY_CONTROL_URL, and the proxies between them.`,
      (p) => `The tables and rules of the job cannot be read. ${p.outcome}`,
    ),
  ),
  training_refused: refused(
    (p) =>
      `No private model can be trained on ${p.where}. A model needs a text column with at least 100 distinct values, and parts of values that occur in at least min_values of them. Lower min_values, or use a built-in model.`,
  ),
  generation_failed: refused(
    (p) =>
      `The rule for ${p.where} could not make a value for a row. An expression cannot be computed for it, its constraints accept hardly any value, or with "differs" every attempt gave the original. ${p.outcome} Loosen the constraints, let the rule make more values, or remove "differs". ${p.log} has the cause.`,
  ),
  permission_denied: database(
    (p) =>
      `The user of ${p.database} lacks a privilege${p.table ? ` on ${p.table}` : ''}. The source requires SELECT. The target requires CREATE on the database and ownership of the tables. Instead of ownership, SELECT, INSERT and TRUNCATE suffice if no trigger, rule or foreign key has to be disabled.`,
  ),
  constraint_violation: refused(
    (p) =>
      `The new rows of ${p.where} break ${p.constraint} of the target. ${p.outcome} Find these rows in the source and correct them. If a rule makes values of the constraint's columns, change the rule.${p.mayLackPartition ? ' If a partition for the rows is missing, create it on the target.' : ''}`,
  ),
  constraint_broken_by_rule: refused(
    (p) =>
      `The new rows of ${p.where} break ${p.constraint} of the target, and a rule of the job makes values of its columns. ${p.outcome} Let the rule make other values: for a unique constraint more of them, which differ by more than case, accents or notation. If rows of the source break the same constraint, correct these rows.`,
  ),
  orphans_found: refused(
    (p) =>
      `Rows of ${p.where} reference rows that the copy does not have, so they break ${p.constraint}. ${p.outcome} Correct these rows on the source, or choose another value of "orphans". "skip" leaves out those that it finds on the source, with all rows that reference them. "not_valid" copies them and makes the key NOT VALID. Before PostgreSQL 18, a key of a partitioned table cannot be NOT VALID. A dry run logs the columns of each key and the number of rows.`,
  ),
  value_invalid: refused(
    (p) =>
      `The column's type on the target does not accept a value for ${p.where}, or the value is too large to be masked. The limits are 16 MiB and 500 levels for a document, and 64 MiB for the ruled columns of a row. ${p.outcome}`,
  ),
  connection_lost: retried(
    database(
      (p) => `The connection to ${p.database} was lost${p.eachTime}. ${p.outcome}`,
      (p) => `The connection to ${p.database} was lost. ${p.outcome} ${capital(p.again)}${p.resuming}.`,
    ),
  ),
  lease_lost: retried(
    refused(
      () =>
        `No agent stayed in contact long enough to finish the job, on any attempt. Check that the agent runs and can reach the control plane.`,
      () => 'Another run of this job has taken over. This run ended and has changed nothing since then.',
    ),
  ),
  same_database: refused(() => `Source and target are the same database. Choose another target.`),
  database_error: database(
    (p) =>
      `${p.Database} refused a statement${p.table ? ` on ${p.table}` : ''}. ${p.outcome} ${p.log} has the server's message.`,
  ),
  disk_full: database(
    (p) =>
      `The server of ${p.database} has run out of disk space, or a query wrote more temporary files than temp_file_limit allows. ${p.outcome} Free space in its data_directory, its tablespaces and its temp_tablespaces, or raise temp_file_limit.`,
  ),
  create_failed: refused((p) =>
    p.object
      ? `${capital(p.creating ?? p.table ?? 'a table')} could not be created on the target from the source's definition, because ${p.object} is missing there. ${p.outcome} Create it on the target, or add it to the job if it is a table.`
      : `${capital(p.creating ?? p.table ?? 'a table')} could not be created on the target from the source's definition. An object that it needs, such as a type, an extension or a function, is missing there, another object has its name, or the server refused the definition. ${p.outcome} ${p.log} has the server's message.`,
  ),
  function_unresolved: refused(
    (p) =>
      `${capital(p.object ?? 'a function')} could not find another object that it uses${p.table ? `, when the target evaluated rows of ${p.table}` : ''}. The target evaluates rows with the search_path that its database or the table's owner sets, without schemas in which other roles may create objects. ${p.outcome} If the object is missing there, create it. Otherwise, run ${p.setPath} with the schemas of all objects that the function uses.`,
  ),
  verification_failed: unequal(
    (p) =>
      `The copy of ${p.table ? p.where : 'the tables'} does not match the source and the rules: "verification" names the check that failed. ${p.outcome} ${p.log} has the details. Please report this problem.`,
  ),
  prerequisite_missing: refused(
    (p) =>
      `A missing table needs an extension, a range type or a similar object that the target does not have. The job cannot create it, because other sessions would see it before the job completes. ${p.outcome} ${p.log} names the object: create it on the target and ${p.again}.`,
  ),
  where_invalid: refused(
    (p) =>
      `The agent cannot read the where of ${p.table ?? 'a table'}: the agent's version is too old for this condition. ${p.outcome} Update the agent.`,
    (p) => `The where of ${p.table ?? 'a table'} cannot be read. ${p.outcome}`,
  ),
  where_column_not_found: refused(
    (p) =>
      `The where of ${p.table ?? 'a table'} names ${p.column ?? 'a column'}, which the table does not have. Names are read as in SQL: capital letters need double quotes.`,
  ),
  where_type_mismatch: refused(
    (p) =>
      `The where of ${p.table ?? 'a table'} compares ${p.column ?? 'a column'} with a value of another type, or the column has a type that conditions cannot compare. Write dates and times in ISO 8601.`,
  ),
  subset_too_large: refused(
    (p) =>
      `${p.Worker} has too little memory to keep track of all rows of the subset. ${p.outcome} Select fewer rows, or remove the subset.`,
  ),
  subset_not_possible: refused(
    (p) =>
      `${capital(p.table ?? 'A table')} has a partition that is a foreign table, whose rows have no fixed location. No subset of this table, or of a table that it references, can be copied. ${p.outcome}`,
  ),
  cancelled: refused(
    (p) => `The job was cancelled. ${p.outcome}`,
    (p) => `The job was stopped. ${p.outcome}`,
  ),
  snapshot_lost: retried(
    database(
      (p) =>
        `The transaction that held the snapshot of the source has ended${p.eachTime}. ${p.outcome} Find out what ends long transactions on the source: a restart, an administrator, idle_in_transaction_session_timeout or old_snapshot_threshold.`,
      (p) =>
        `The transaction that held the snapshot of the source has ended. ${p.outcome} Find out what ends long transactions on the source: a restart, an administrator, idle_in_transaction_session_timeout or old_snapshot_threshold.`,
    ),
  ),
  lock_timeout: database(
    (p) =>
      `Another session holds a lock on ${p.where}${p.table ? ` in ${p.database}` : ''} and did not release it in time. ${p.outcome} ${p.log} names the process of that session.`,
  ),
  stalled: retried(
    database(
      (p) =>
        `No data moved between ${p.worker} and ${p.database} for too long${p.eachTime}, and no lock is the reason. ${p.outcome} Check the network between them.`,
      (p) =>
        `No data moved between this machine and ${p.database} for too long, and no lock is the reason. ${p.outcome} Check the network between them, and ${p.again}${p.resuming}.`,
    ),
  ),
  pooler_unsupported: database(
    (p) =>
      `${p.Database} is reached through a pooler that assigns a different server process to each transaction (PgBouncer's pool_mode "transaction" or "statement"). Connect to the server directly, or to a pool with pool_mode "session".`,
  ),
  agent_disk_low: retried(
    refused(
      () =>
        `Each agent that was offered the job had too little free disk space: less than its UNDERSTUDY_AGENT_MIN_FREE_DISK_MB requires, or no room for the files of pg_dump. Free space on the agent's machine.`,
      (p) =>
        `This machine has too little free disk space. ${p.outcome} Free some space and run the job again.`,
    ),
  ),
  staging_untrusted: database(
    (p) =>
      `The job needs ${p.object ?? 'a schema'} of ${p.database} for its staged rows, but ${p.objectRole ?? 'another role'} owns it or may change it. ${p.outcome} If nobody needs the content of the schema, run ${p.dropSchema} there, as its owner or as a superuser. Roles with CREATE on the database can create such a schema for each job on this target. Revoke the privilege from roles that you do not trust, and ${p.again}.`,
  ),
  publication_of_all_tables: refused(
    (p) =>
      `${capital(p.object ?? 'a publication')} of ${p.database} is FOR ALL TABLES. Its subscribers would receive the staged rows of the job, and would stop because they do not have these tables. No row was copied. Replace it by a publication FOR TABLE or FOR TABLES IN SCHEMA, or drop it, and ${p.again}.`,
  ),
  publication_of_schema: refused(
    (p) =>
      `${capital(p.object ?? 'a publication')} of ${p.database} publishes the schema in which the job would create ${p.table ?? 'a table'}. Its subscribers would stop, because they do not have the table. No row was copied. Create the table on the target and on the subscribers, run ALTER SUBSCRIPTION … REFRESH PUBLICATION there, and ${p.again}.`,
  ),
  publication_without_truncate: refused(
    (p) =>
      `${capital(p.object ?? 'a publication')} of ${p.database} publishes ${p.table ?? 'a table'}, but not its TRUNCATE. Its subscribers would keep the old rows beside the new ones. No row was copied. Add truncate with ALTER PUBLICATION … SET (publish = 'insert, update, delete, truncate'), or remove the table from the publication, and ${p.again}.`,
  ),
  locked_by_itself: database(
    (p) =>
      `The job needs an exclusive lock on ${p.where}${p.table ? ` in ${p.database}` : ''}, but its own sessions on the source lock the same relation. Both databases of the server share it. Waiting cannot end this. ${p.outcome} Remove the table from the job.`,
  ),
  target_lock_held: database(
    (p) =>
      `${capital(p.objectRole ?? 'another role')} holds the advisory lock of ${p.database} that jobs use. A job waits only for sessions of its own role, and not for prepared transactions. ${p.outcome} ${p.log} names the process or the prepared transaction: end it, and ${p.again}.`,
  ),
  build_login_missing: refused(
    (p) =>
      `The job replaces the whole database, and the agent's policy has no build_url_env for ${p.database}. The code of the source must not run with the rights of the agent's role. ${p.outcome} Name a second login in the policy on ${p.machine}.`,
    (p) =>
      `The job replaces the whole database, and the job file has no target.build_connection_string. The code of the source must not run with the rights of the role that creates databases. ${p.outcome} Give the URL of a second login.`,
  ),
  build_login_refused: refused(
    (p) =>
      `The second login of ${p.database} has rights that the code of the source must not have. ${p.outcome} Use a role that exists for this purpose only: without SUPERUSER, CREATEDB, CREATEROLE, REPLICATION and BYPASSRLS, member of no other role, and owner of no database and no tablespace.`,
  ),
  build_login_failed: database(
    (p) =>
      `The server of ${p.database} refused the user or the password of the second login. ${p.outcome} Correct the URL that build_url_env names in the policy on ${p.machine}, or let the role log in.`,
    (p) =>
      `The server of ${p.database} refused the user or the password of the second login. ${p.outcome} Correct target.build_connection_string, or let the role log in.`,
  ),
  build_database_taken: database(
    (p) =>
      `Another role owns a database that has the name of the one that the job must create beside ${p.database}. ${p.outcome} Drop or rename that database, and ${p.again}.`,
  ),
  replace_denied: refused(
    (p) =>
      `The role of ${p.database} cannot replace the database. ${p.outcome} It needs CREATEDB, and must be a member of the second login and of the owner of the database: run ALTER ROLE … CREATEDB and GRANT … TO … as a superuser.`,
  ),
  owner_refused: refused(
    (p) =>
      `The owner of ${p.database} is a superuser or a similar role. After the swap, PostgreSQL would run functions of the source with the rights of this role, for example in an index. ${p.outcome} Run ALTER DATABASE … OWNER TO … with a role that has no such rights.`,
  ),
  database_too_large: refused(
    (p) =>
      `The new database would be larger than max_database_bytes in the agent's policy. ${p.outcome} ${p.log} has the size. Copy no rows of large tables with rows: "none", or change the policy on ${p.machine}.`,
    (p) =>
      `The new database would be larger than max_database_bytes in the job file. ${p.outcome} ${p.log} has the size. Copy no rows of large tables with rows: "none", or change the field.`,
  ),
  superuser_objects: refused(
    (p) =>
      `Only a superuser can create ${p.object ?? 'an object'} of the source. ${p.outcome} The second login that creates the objects of the new database is no superuser.`,
  ),
  extension_unavailable: refused(
    (p) =>
      `The source has ${p.object ?? 'an extension'}, but the server of ${p.database} does not offer it. ${p.outcome} Install the package of the extension on that server, or leave it out with skip_objects.`,
  ),
  target_server_older: database(
    (p) =>
      `The server of ${p.database} is older than that of the source, and can refuse its definitions. Expected the same major version of PostgreSQL or a newer one; ${decapital(p.log)} has both versions. ${p.outcome} Upgrade the server, or set replace to "tables".`,
  ),
  target_only_objects: refused(
    (p) =>
      `Only ${p.database} has ${p.object ?? 'some objects'}, and the source has no such object. Replacing the database would drop it. ${p.outcome} Set drop_target_only to true if nobody needs it.`,
  ),
  foreign_servers_refused: refused(
    (p) =>
      `The source has foreign servers, whose options can contain addresses and passwords. ${p.outcome} Leave them out with skip_objects: ["server *"], or set allow_foreign_servers: true in the policy on ${p.machine}.`,
    (p) =>
      `The source has foreign servers, whose options can contain addresses and passwords. ${p.outcome} Leave them out with skip_objects: ["server *"], or set "allow_foreign_servers": true in the job file.`,
  ),
  foreign_partition: refused(
    (p) =>
      `${capital(p.object ?? 'a foreign table')} of the source is a partition on another server. The job would write rows to that server. No row was copied. Detach the partition, or leave out the partitioned table.`,
  ),
  large_objects_refused: refused(
    (p) =>
      `The source has large objects (pg_largeobject), which are not masked. ${p.outcome} Set large_objects to "skip" to leave them out, or to "copy" to copy them unchanged.`,
  ),
  excluded_needed: refused(
    (p) =>
      `${capital(p.table ?? p.object ?? 'an object')} of the source depends on what exclude_schemas, exclude_tables or skip_objects leaves out, or the job copies rows into it. No row was copied. Leave it out, too, or keep what it needs.`,
  ),
  excluded_not_found: refused(
    (p) =>
      `The source has no ${p.object ?? 'schema or table'}, which exclude_schemas or exclude_tables names. No row was copied. Correct or remove the name.`,
  ),
  tablespace_missing: refused(
    (p) =>
      `The server of ${p.database} lacks a tablespace that the source uses, or the role of the job may not create objects in it: ${p.object ?? 'a tablespace'}. No row was copied. Create the tablespace, or grant CREATE on it. With tablespaces: "none", the new database does not need it.`,
  ),
  database_in_use: database(
    (p) =>
      `Sessions, prepared transactions, replication slots or subscriptions use ${p.database}, so it could not be replaced or dropped. ${p.outcome} End them, and ${p.again}. With end_sessions, a job ends the sessions that its role may end.`,
  ),
  kept_database_missing: refused(
    (p) =>
      `The database that this replacement has kept is not on the server of ${p.database}: it was dropped or renamed, or the target was replaced again. ${p.outcome} ${p.log} may name the database.`,
  ),
  kept_database_changed: refused(
    (p) =>
      `Another database has the name of the one that this replacement has kept: its oid is not the recorded one. ${p.outcome} ${p.log} has the name and both oids. Rename or drop that database. If the kept one is still on the server, give it its name again with ALTER DATABASE … RENAME TO …, and ${p.again}.`,
  ),
  agent_revoked: refused(
    (p) => `An administrator revoked the agent while it worked on the job. ${p.outcome}`,
    (p) => `The job was stopped. ${p.outcome}`,
  ),
  agent_restarted: retried(
    refused(
      (p) => `The agent ended while it worked on the job${p.eachTime}. Check the agent's log.`,
      (p) => `The job was stopped. ${p.outcome}`,
    ),
  ),
} satisfies Readonly<Record<string, FailureDefinition>>;

export type SyncFailureCode = keyof typeof FAILURES;

/** Returns the definition of a code, or undefined for a code of another version. */
export function failureDefinition(code: string): FailureDefinition | undefined {
  return Object.hasOwn(FAILURES, code) ? FAILURES[code as SyncFailureCode] : undefined;
}

/** Returns whether another attempt of the job may succeed after this failure. */
export function isRetryable({ code }: { readonly code: string }): boolean {
  return failureDefinition(code)?.isRetryable === true;
}
