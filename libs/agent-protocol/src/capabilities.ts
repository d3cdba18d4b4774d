import { hasExactNumbers, parseExactJson } from '@understudy/expression';
import type { JobOptions, SyncJobCommand } from '@understudy/sync-job';

interface Capability {
  /** Never changes, and is never used again. */
  readonly number: number;
  /** In stored requirements and offers. An option has the name of its field in the request. */
  readonly name: string;
  /** In messages to users, if it is not the name. */
  readonly text?: string;
  readonly isNeeded: (job: CapableJob) => boolean;
}

/** The parts of a job that decide which capabilities it needs. Jobs of earlier versions have no compositions. */
export type CapableJob = JobOptions &
  Pick<SyncJobCommand, 'tables'> &
  Partial<Pick<SyncJobCommand, 'compositions'>>;

/**
 * Lists what agents of earlier versions cannot do. An agent reports the numbers that it knows, and a job that needs
 * another one is never sent to it. Every option that excludes something from a copy or adds a step to it needs a
 * number here, because an agent that does not know the option would ignore it. A dry run and a subset need none,
 * because every agent obeys them or refuses their kind of command (`runRestrictedSyncJob`).
 */
const CAPABILITIES = [
  // 2026-11-28: Earlier agents would ignore the option, and copy a source whose tables the job does not list.
  {
    number: 1,
    name: 'unlisted_tables',
    isNeeded: ({ unlistedTables = 'ignore' }) => unlistedTables !== 'ignore',
  },
  // 2026-11-28: Earlier agents would leave materialized views with their old rows.
  {
    number: 2,
    name: 'refresh_materialized_views',
    isNeeded: ({ refreshMaterializedViews = false }) => refreshMaterializedViews,
  },
  // 2026-11-28: Earlier agents would create code of the source on the target.
  { number: 3, name: 'source_code', isNeeded: ({ sourceCode }) => sourceCode !== undefined },
  // 2026-11-29: Earlier agents would round numbers of rules and compositions. They also do not check the numbers in
  // a command, so a job that needs this or a later number has another kind of command (`runCapableSyncJob`).
  {
    number: 4,
    name: 'exact_numbers',
    text: 'numbers that a double would change',
    isNeeded: ({ tables, compositions = [] }) =>
      tables.some(({ columns }) => columns.some(({ rule }) => hasExactNumbers(rule))) ||
      compositions.some(({ definitionJson }) => hasExactNumbers(parseExactJson(definitionJson))),
  },
] as const satisfies readonly Capability[];

/** An agent that knows this number or a later one refuses a command with a number that it does not know. */
export const FIRST_CHECKED_NUMBER = 4;

export type AgentCapability = (typeof CAPABILITIES)[number]['name'];

/** The capabilities of this version. */
export const AGENT_CAPABILITIES: readonly AgentCapability[] = CAPABILITIES.map(({ name }) => name);

/** Returns what an agent must be able to do to run a job. */
export function neededCapabilities(job: CapableJob): readonly AgentCapability[] {
  return CAPABILITIES.filter(({ isNeeded }) => isNeeded(job)).map(({ name }) => name);
}

/** Returns the names of the numbers that this version knows, each once. */
export function capabilitiesOf(numbers: readonly number[]): readonly AgentCapability[] {
  return CAPABILITIES.filter(({ number }) => numbers.includes(number)).map(({ name }) => name);
}

export function numbersOf(capabilities: readonly AgentCapability[]): readonly number[] {
  return CAPABILITIES.filter(({ name }) => capabilities.includes(name)).map(({ number }) => number);
}

/** Names capabilities in messages to users. */
export function namesOfCapabilities(capabilities: readonly AgentCapability[] = []): string {
  const texts: readonly Capability[] = CAPABILITIES.filter(({ name }) => capabilities.includes(name));
  return texts.map(({ name, text = name }) => text).join(' and ');
}
