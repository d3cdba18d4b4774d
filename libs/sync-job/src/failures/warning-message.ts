import type { SyncWarning } from '../events/progress.js';
import type { Received } from './failure.js';
import { objectOf } from './failure-message.js';
import type { Names } from './names.js';
import { SYNC_JOB_MESSAGES } from './message-set.js';
import { capital } from './message-template.js';

/** A warning with its message. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

type ReportedWarning = Received<SyncWarning>;

/** Writes the messages of warnings. Warnings that differ only in their tables become one, if the tables can be many. */
export function warningsOf(
  warnings: readonly ReportedWarning[],
  names: Names,
  messages = SYNC_JOB_MESSAGES,
): readonly Warning[] {
  const first = warnings.find(({ code }) => code === 'definition_copied');
  const tables = warnings.flatMap(({ code, tableIndex }) =>
    code === 'definition_copied' ? (names.table(tableIndex) ?? []) : [],
  );
  return warnings
    .filter((warning) => warning.code !== 'definition_copied' || warning === first)
    .map((warning) =>
      warning === first && tables.length > 1
        ? definitionsCopied(tables)
        : warningOf(warning, names, messages),
    );
}

/**
 * Writes the message of a warning that the engine reported. A code that this version does not know becomes
 * `other`.
 */
export function warningOf(
  warning: ReportedWarning,
  names: Names,
  { worker, machine, log } = SYNC_JOB_MESSAGES,
): Warning {
  const table = names.table(warning.tableIndex);
  const column = names.column(warning.tableIndex, warning.columnIndex);
  const ofTable = table === undefined ? '' : ` of table ${JSON.stringify(table)}`;
  const named = column === undefined ? '' : ` ${JSON.stringify(column)}`;
  if (warning.code === 'foreign_key_skipped') {
    return {
      code: warning.code,
      message: `A foreign key${ofTable} was not created: the table that it references is neither in the job nor on the target.`,
    };
  }
  if (warning.code === 'value_truncated') {
    return {
      code: warning.code,
      message: `Values of column${named}${ofTable} were truncated to the column's length.`,
    };
  }
  if (warning.code === 'unique_scarce') {
    return {
      code: warning.code,
      message: `The rule for column${named}${ofTable} can make hardly more values than the column has rows, and the values must be unique. With a few more rows the rule will run out of values.`,
    };
  }
  if (warning.code === 'superuser_target') {
    return {
      code: warning.code,
      message:
        'The role of the target database is a superuser, or can become one. Functions, triggers and constraints that the job created run with its rights. Use another role. It needs CONNECT, CREATE and TEMPORARY on the database, USAGE and CREATE on its schemas, and membership in the owners of its tables.',
    };
  }
  if (warning.code === 'differs_off') {
    return {
      code: warning.code,
      message: `Some new values of column${named}${ofTable} can equal the row's original by chance. Rules with a model have "differs" by default, but it is off on a column that the agent's policy protects, and on a column with the same consistent rule.`,
    };
  }
  if (warning.code === 'rule_outdated') {
    return {
      code: warning.code,
      message: `The rule of column${named}${ofTable} has a path, a pattern or an argument that an earlier version accepted. It keeps its values, but may not mean what its author intended. Create the job again to see the problem.`,
    };
  }
  if (warning.code === 'restarted_from_zero') {
    return {
      code: warning.code,
      message:
        'The job started again from zero after an interruption and could not keep the rows that it had copied. The snapshot of the source had ended, or the new attempt had another masking key, other models, other rules or another version of Understudy. Or a crash of the target server emptied unlogged tables before the job ended.',
    };
  }
  if (warning.code === 'result_unknown') {
    return {
      code: warning.code,
      message:
        'The job completed, but its result could not be read afterwards. A lost attempt had removed it, or a later job, restore or revert had replaced the target. The numbers of rows, the checks and the other warnings are unknown.',
    };
  }
  if (warning.code === 'waited_for_job') {
    return { code: warning.code, message: 'The job waited for another job on the same target.' };
  }
  if (warning.code === 'waited_for_lock') {
    return {
      code: warning.code,
      message:
        'Other sessions held locks on target tables that the job had to lock. The job released its own locks and retried until it got them.',
    };
  }
  if (warning.code === 'definition_copied') {
    return definitionsCopied(table === undefined ? [] : [table]);
  }
  if (warning.code === 'rewritten_without_pg_dump') {
    return {
      code: warning.code,
      message: `Existing tables were rewritten and not swapped, so the job took longer and locked them for longer. The reason is that pg_dump is missing on ${machine}, is older than the target's server, or failed there. ${log} has the details.`,
    };
  }
  if (warning.code === 'sequence_unknown') {
    return {
      code: warning.code,
      message: `A sequence${ofTable} may return values that are in use. Its position on the source could not be read, or the role may not move it on the target. Or a function needs it there and it is missing, or a rule masks a column that it feeds. ${log} has its name. Grant SELECT on the sequence on the source. Or create it on the target if it is missing there, and set it with setval before you insert rows.`,
    };
  }
  if (warning.code === 'sequence_name_dynamic') {
    return {
      code: warning.code,
      message: `A default or a function${ofTable} computes the name of a sequence, or SQL that may call nextval, or several schemas have a sequence with the name. The job cannot know which sequence is meant, and does not create it. If there is one, create it on the target if it is missing there, and set it with setval before you insert rows.`,
    };
  }
  if (warning.code === 'sequence_options_differ') {
    return {
      code: warning.code,
      message: `A sequence${ofTable} has another increment, another CYCLE option or other bounds on the target than on the source. Jobs do not change sequences that the target has. ${log} has its name. If the next ids must be like those of the source, use ALTER SEQUENCE on the target.`,
    };
  }
  if (warning.code === 'tables_unlisted') {
    return {
      code: warning.code,
      message: `The source has ${counted(warning.count, 'table')} that the job neither lists nor ignores, and that are not copied. ${log} has the names. Add each to tables or to ignored_tables.`,
    };
  }
  if (warning.code === 'materialized_views_stale') {
    return {
      code: warning.code,
      message: `${capital(counted(warning.count, 'materialized view'))} of the target can show rows from before the job, because the job does not set refresh_materialized_views or the role may not refresh them. ${log} has the SQL that refreshes them.`,
    };
  }
  if (warning.code === 'materialized_views_not_refreshed') {
    const views =
      warning.count === undefined
        ? 'Materialized views'
        : capital(counted(warning.count, 'materialized view'));
    return {
      code: warning.code,
      message: `${views} of the target could not be refreshed after the tables were replaced, and can show rows from before the job. ${log} has the reason and the SQL that refreshes them.`,
    };
  }
  if (warning.code === 'left_out_unknown') {
    return {
      code: warning.code,
      message:
        'The objects of the source that the target lacks could not be counted after the tables were replaced. A dry run counts them.',
    };
  }
  if (warning.code === 'old_statistics_kept') {
    const objects =
      warning.count === undefined
        ? `${ofTable}, or of a table above it in an inheritance tree,`
        : ` of ${counted(warning.count, 'materialized view')} of the target`;
    return {
      code: warning.code,
      message: `The planner statistics${objects} may still contain values from before the copy, and the job found no way to remove them. As a superuser, run on the target: ${REMOVE_STATISTICS}`,
    };
  }
  if (warning.code === 'definition_not_tried') {
    return {
      code: warning.code,
      message: `What the job creates and evaluates on the target${warning.count === undefined ? forTable(table) : ` for ${counted(warning.count, 'more table')}`} could not be tried. The dry run holds no lock on the target for longer than two seconds, reads only a few rows and needs room for them. Only the job itself shows whether the target accepts the definitions.`,
    };
  }
  if (warning.code === 'training_not_tried') {
    return {
      code: warning.code,
      message: `The model for column${named}${ofTable} was not trained within the time limit of a dry run, so the values of rules were not checked.`,
    };
  }
  if (warning.code === 'large_objects_skipped') {
    return {
      code: warning.code,
      message: largeObjects(
        table === undefined ? undefined : `${column === undefined ? 'a column' : `column${named}`}${ofTable}`,
      ),
    };
  }
  if (warning.code === 'orphans_skipped') {
    return {
      code: warning.code,
      message: `Rows${ofTable} reference rows that the copy does not have. The job left them out because of ${keyOf(warning)}, with all rows that reference them. ${log} has their number.`,
    };
  }
  if (warning.code === 'orphans_kept') {
    return {
      code: warning.code,
      message: `${capital(keyOf(warning))}${ofTable} is NOT VALID on the target, because rows of the source reference rows that the copy does not have. Correct these rows on the source.`,
    };
  }
  if (warning.code === 'dependent_left_out') {
    const isOne = warning.object !== undefined || warning.count === 1;
    const objects = capital(
      warning.object === undefined
        ? counted(warning.count, 'further object')
        : (objectOf(warning.object) ?? 'an object'),
    );
    return {
      code: warning.code,
      message: `${objects} of the source ${isOne ? 'depends' : 'depend'} on tables of the job, and the target lacks ${isOne ? 'it' : 'them'}. A job creates only what its tables need. If an application needs more, create it on the target. ${log} has all names.`,
    };
  }
  if (warning.code === 'not_null_names_lost') {
    return {
      code: warning.code,
      message: `The target does not keep the names of NOT NULL constraints${ofTable}, because its server is older than PostgreSQL 18. The columns are NOT NULL.`,
    };
  }
  const notCopied = NEVER_COPIED[warning.code as keyof typeof NEVER_COPIED];
  if (notCopied !== undefined) {
    const reason =
      notCopied === 'publication' ? 'unless publications is "source"' : 'because a job never copies them';
    return {
      code: warning.code,
      message: `The new database does not have ${counted(warning.count, notCopied)} of the source, ${reason}.`,
    };
  }
  if (warning.code === 'security_definer_removed') {
    return {
      code: warning.code,
      message: `${capital(counted(warning.count, 'function'))} of the source ${warning.count === 1 ? 'is' : 'are'} SECURITY DEFINER, and SECURITY INVOKER in the new database. ${log} has the names. To keep them, set security_definer to "keep".`,
    };
  }
  if (warning.code === 'personal_definitions') {
    return {
      code: warning.code,
      message: `${capital(counted(warning.count, 'definition'))} of the source ${warning.count === 1 ? 'mentions' : 'mention'} a person, for example by an e-mail address. Definitions are copied unchanged. ${log} has the names.`,
    };
  }
  if (warning.code === 'setting_not_given') {
    return {
      code: warning.code,
      message: `${capital(counted(warning.count, 'setting'))} of the replaced database could not be given to the new one. Only a superuser may set some of them, and only a role with CREATEROLE those of a role (ALTER ROLE … IN DATABASE). ${log} has the server's messages.`,
    };
  }
  if (warning.code === 'object_skipped') {
    const objects = warning.object
      ? (objectOf(warning.object) ?? 'an object')
      : counted(warning.count, 'object');
    return {
      code: warning.code,
      message: `The new database does not have ${objects} of the source, because skip_objects names it or something on which it depends. ${log} has all names.`,
    };
  }
  if (warning.code === 'extension_version_differs') {
    const extensions = warning.object
      ? (objectOf(warning.object) ?? 'an extension')
      : counted(warning.count, 'further extension');
    return {
      code: warning.code,
      message: `The new database has ${extensions} in another version than the source. CREATE EXTENSION creates the default version of the target's server. Install the version of the source on that server if an application needs it.`,
    };
  }
  if (warning.code === 'public_comment_not_copied') {
    return {
      code: warning.code,
      message: `The comment on the schema public is not copied, because the schema belongs to a superuser on servers before PostgreSQL 15.`,
    };
  }
  if (warning.code === 'target_only_dropped') {
    const objects = warning.object
      ? (objectOf(warning.object) ?? 'an object')
      : counted(warning.count, 'further object');
    return {
      code: warning.code,
      message: `Only the target has ${objects}. Replacing the database drops ${warning.object || warning.count === 1 ? 'it' : 'them'}, because drop_target_only is true. ${log} has all names.`,
    };
  }
  if (warning.code === 'role_missing') {
    return {
      code: warning.code,
      message: `The target's server does not have ${counted(warning.count, 'role')} that own objects of the source or have privileges on them. The new database has neither these owners nor these privileges. ${log} has the names. Create the roles before the job runs again.`,
    };
  }
  if (warning.code === 'owner_not_given') {
    return {
      code: warning.code,
      message: `${capital(counted(warning.count, 'object'))} of the new database did not get the ${warning.count === 1 ? 'owner' : 'owners'} that the source has, and ${warning.count === 1 ? 'belongs' : 'belong'} to the owner of the target. The role is missing, the role of the job is no member of it, or it can become a superuser. ${log} has the server's messages.`,
    };
  }
  if (warning.code === 'privilege_not_given') {
    return {
      code: warning.code,
      message: `${capital(counted(warning.count, 'object'))} of the new database did not get all privileges. A role or a column is missing, or the role of the job may not give them. ${log} has the server's messages.`,
    };
  }
  if (warning.code === 'privilege_missing') {
    return {
      code: warning.code,
      message: `Roles may use ${counted(warning.count, 'object')} of the source that ${warning.count === 1 ? 'is' : 'are'} not in the replaced database. In the new one, only the owner may use ${warning.count === 1 ? 'it' : 'them'}. ${log} has the names. Set privileges to "source", or grant the privileges. Later jobs keep them.`,
    };
  }
  if (warning.code === 'partition_identity_lost') {
    return {
      code: warning.code,
      message: `The job creates the partitions${forTable(table)} without identity columns, because the target's server is older than PostgreSQL 17 or the job does not list the partitioned table. An INSERT into a partition must set these columns. An INSERT into the partitioned table does not have to.`,
    };
  }
  if (warning.code === 'generation_omitted') {
    return {
      code: warning.code,
      message: `The job creates ${counted(warning.count, 'generated column')}${ofTable} as ${warning.count === 1 ? 'a plain column' : 'plain columns'}, because the expression calls code of the source. Rules set the values. ${log} has the names.`,
    };
  }
  const part = OMITTED_PARTS.get(warning.code);
  if (part !== undefined) {
    const reason =
      warning.count === 1 ? 'it is code of the source or calls it' : 'they are code of the source or call it';
    return {
      code: warning.code,
      message: `The job does not create ${counted(warning.count, ...part)}${ofTable}, because ${reason}. ${log} has the names.`,
    };
  }
  return {
    code: 'other',
    message: `${capital(worker)} reported a warning${ofTable} that this version does not know.`,
  };
}

function keyOf({ constraint }: ReportedWarning): string {
  return constraint === undefined ? 'a foreign key' : `the foreign key ${JSON.stringify(constraint)}`;
}

const OMITTED_PARTS: ReadonlyMap<string, readonly [noun: string, plural?: string]> = new Map([
  ['trigger_omitted', ['trigger']],
  ['rule_omitted', ['rule']],
  ['policy_omitted', ['row security policy', 'row security policies']],
  ['constraint_omitted', ['constraint']],
  ['index_omitted', ['index', 'indexes']],
  ['default_omitted', ['column default']],
  ['statistics_omitted', ['statistics object']],
]);

/** The number of tables that one message names. */
const MOST_TABLES = 50;

function definitionsCopied(tables: readonly string[]): Warning {
  const listed = tables.slice(0, MOST_TABLES).map((table) => JSON.stringify(table));
  const more = tables.length > listed.length ? ` and ${tables.length - listed.length} more` : '';
  const [subject, created] =
    tables.length > 1
      ? [`definitions of the tables ${listed.join(', ')}${more}`, 'tables']
      : [`definition${listed.length === 0 ? '' : ` of table ${listed.join('')}`}`, 'table'];
  return {
    code: 'definition_copied',
    message: `The ${subject} will be copied from the source unchanged: defaults, CHECK literals, enum labels, comments, partition bounds and index predicates are not masked. If one of them holds personal data, create the ${created} on the target first.`,
  };
}

function counted(number: number | undefined, noun: string, plural = `${noun}s`): string {
  return number === undefined ? plural : `${number} ${number === 1 ? noun : plural}`;
}

/** Removes the statistics of all tables, so the message needs no quoted name. ANALYZE makes those of the present rows. */
const REMOVE_STATISTICS =
  'DELETE FROM pg_catalog.pg_statistic WHERE starelid >= 16384; UPDATE pg_catalog.pg_statistic_ext_data SET stxdndistinct = NULL, stxddependencies = NULL, stxdmcv = NULL, stxdexpr = NULL; ANALYZE;';

/** The nouns for objects that no job copies, by the code of the warning. */
const NEVER_COPIED = {
  subscriptions_not_copied: 'subscription',
  publications_not_copied: 'publication',
  security_labels_not_copied: 'security label',
  user_mappings_not_copied: 'user mapping',
} as const;

function forTable(table: string | undefined): string {
  return table === undefined ? '' : ` for table ${JSON.stringify(table)}`;
}

/** @param column a column that may refer to large objects, if there is one */
function largeObjects(column: string | undefined): string {
  const start = 'The source has large objects (pg_largeobject), which are not copied.';
  return column === undefined
    ? `${start} No preserved column is of type oid, but numbers or texts may refer to large objects that the target does not have.`
    : `${start} The large objects that ${column} refers to are not on the target, unless they were there before.`;
}
