import { FROM_AGENT } from './agent-facts.js';
import { ofJob, ofTables, type StoredFact } from './stored-fact.js';

const FROM_REQUEST: readonly StoredFact[] = [
  ofJob('request', 'name', 'name', 'Name of the job.', ({ job }) => [job.name]),
  ofJob('request', 'source', 'source_display', 'Source database, without a password.', ({ job }) => [
    job.sourceDisplay,
  ]),
  ofJob('request', 'target', 'target_display', 'Target database, without a password.', ({ job }) => [
    job.targetDisplay,
  ]),
  {
    path: 'connections',
    origin: 'request',
    description:
      'The names of databases, or URLs that are encrypted for the agents that may run the job. The control plane cannot decrypt them, and deletes them when the job has ended.',
    columns: ['sync_jobs.source', 'sync_jobs.target'],
  },
  {
    path: 'definition',
    origin: 'request',
    description:
      'Tables, columns, rules and conditions as you wrote them. A constant in a rule or condition is part of it.',
    columns: [
      'sync_jobs.definition',
      'sync_job_rules.job_id',
      'sync_job_rules.position',
      'sync_job_rules.rules',
      'sync_job_rules.where_columns',
    ],
  },
  ofJob('request', 'seed', 'seed', 'Seed of generated values. Random if the request has none.', ({ job }) => [
    job.seed,
  ]),
  ofJob('request', 'now', 'reference_instant', 'Time to which relative dates refer.', ({ job }) => [
    job.referenceInstant,
  ]),
  ofJob('request', 'agent', 'requires', 'Selection of agents.', ({ job: { requires } }) => [
    requires.id,
    requires.name,
    ...(requires.labels ?? []),
  ]),
  ofTables('request', 'name', 'name', 'Name of the table as in the request.', ({ name }) => name),
  {
    path: 'tables[]',
    origin: 'request',
    description: 'Position of each table in the request.',
    columns: ['sync_job_tables.position', 'sync_job_tables.job_id'],
    values: ({ tables }) => tables.map(({ position }) => position),
  },
];

const FROM_CONTROL_PLANE: readonly StoredFact[] = [
  ofJob('control_plane', 'id', 'id', 'Id of the job.', ({ job }) => [job.id]),
  ofJob('control_plane', 'organization_id', 'organization_id', 'Id of the organisation.', ({ job }) => [
    job.organizationId,
  ]),
  ofJob('control_plane', 'run_of', 'run_of', 'Id of the job that this job repeats.', ({ job }) => [
    job.runOf,
  ]),
  ofJob('control_plane', 'status', 'status', 'State of the job.', ({ job }) => [job.status]),
  ofJob('control_plane', 'attempts', 'attempts', 'Number of attempts.', ({ job }) => [job.attempts]),
  {
    path: 'lease',
    origin: 'control_plane',
    description: 'Number, times and limits of the leases of the job.',
    columns: [
      'sync_jobs.leased_at',
      'sync_jobs.lease_expires_at',
      'sync_jobs.grace_seconds',
      'sync_jobs.renewed_at',
      'sync_jobs.lost_leases',
      'sync_jobs.unmatched_since',
    ],
    values: ({ job }) => [
      job.leasedAt,
      job.leaseExpiresAt,
      job.graceSeconds,
      job.renewedAt,
      job.lostLeases,
      job.unmatchedSince,
    ],
  },
  ofJob('control_plane', 'epoch', 'epoch', 'Number of the last lease.', ({ job }) => [job.epoch]),
  {
    path: 'attempt_history[]',
    origin: 'control_plane',
    description: 'Number, agent, times and outcome of each attempt.',
    columns: ['sync_jobs.attempt_history'],
    values: ({ job }) =>
      job.attemptHistory.flatMap(({ number, agentId, startedAt, endedAt, outcome }) => [
        number,
        agentId,
        startedAt,
        endedAt,
        outcome,
      ]),
  },
  {
    path: 'revision',
    origin: 'control_plane',
    description: 'Number of changes of the tables, and its value at the last change of each table.',
    columns: ['sync_jobs.revision', 'sync_job_tables.revision'],
    values: ({ job, tables }) => [job.revision, ...tables.map(({ revision }) => revision)],
  },
  ofJob('control_plane', 'agent_id', 'agent_id', 'Id of the agent.', ({ job }) => [job.agentId]),
  ofJob(
    'control_plane',
    'encrypted_for',
    'sealed_to',
    'Ids of the agents that can decrypt the URLs of the job.',
    ({ job }) => job.sealedTo ?? [],
  ),
  ofJob('control_plane', 'created_at', 'created_at', 'Time of the request.', ({ job }) => [job.createdAt]),
  ofJob(
    'control_plane',
    'cancel_requested_at',
    'cancel_requested_at',
    'Time of the cancel request.',
    ({ job }) => [job.cancelRequestedAt],
  ),
  ofJob(
    'control_plane',
    'definition_reduced_at',
    'definition_reduced_at',
    'Time at which rules and conditions of an old job were deleted.',
    ({ job }) => [job.definitionReducedAt],
  ),
  {
    path: 'target_cleanup',
    origin: 'control_plane',
    description:
      'After a failed job, the same facts as above for up to a day, until an agent has cleaned up the target.',
    columns: [
      'target_clearances.job_id',
      'target_clearances.organization_id',
      'target_clearances.epoch',
      'target_clearances.target',
      'target_clearances.requested_at',
      'target_clearances.sent_at',
      'target_clearances.requires',
    ],
  },
  {
    path: 'replaced',
    origin: 'control_plane',
    description:
      'After a job that replaced a database, its target and its requirements for agents, until the replaced database is dropped.',
    columns: [
      'kept_databases.work_id',
      'kept_databases.organization_id',
      'kept_databases.target',
      'kept_databases.requires',
      'kept_databases.last_change',
      'kept_databases.is_last',
      'kept_databases.kept_until',
      'kept_databases.reverted_at',
      'kept_databases.sent_at',
    ],
  },
  {
    path: 'replaced.agent',
    origin: 'control_plane',
    description:
      'After a job that replaced a database, its agent with a fingerprint of the policy, when it ended, and whether a revert ends sessions.',
    columns: [
      'kept_databases.agent_id',
      'kept_databases.policy',
      'kept_databases.replaced_at',
      'kept_databases.end_sessions',
      'kept_databases.reverting',
    ],
  },
  {
    path: 'reverts',
    origin: 'control_plane',
    description: 'The reverts of the job, with their ids, times, agents and error codes.',
    columns: [
      'sync_job_reverts.id',
      'sync_job_reverts.job_id',
      'sync_job_reverts.organization_id',
      'sync_job_reverts.last_change',
      'sync_job_reverts.status',
      'sync_job_reverts.error_code',
      'sync_job_reverts.attempts',
      'sync_job_reverts.agent_id',
      'sync_job_reverts.created_at',
      'sync_job_reverts.sent_at',
      'sync_job_reverts.ended_at',
    ],
  },
];

/** Everything that the control plane stores about a job. A test compares the columns with the database. */
export const STORED_FACTS: readonly StoredFact[] = [...FROM_AGENT, ...FROM_REQUEST, ...FROM_CONTROL_PLANE];
