import { hasExactNumbers, parseExactJson } from '@understudy/expression';
import {
  type Declaration,
  type JobOptions,
  OPTIONS,
  requestedOptions,
  type SyncJobCommand,
} from '@understudy/sync-job';

interface Capability {
  /** Never changes, and is never used again. */
  readonly number: number;
  /** In stored requirements and offers. An option has the name of its field in the request. */
  readonly name: AgentCapability;
  /** In messages to users, if it is not the name. */
  readonly text?: string;
  readonly isNeeded: (job: CapableJob) => boolean;
}

/** The parts of a job that decide which capabilities it needs. Jobs of earlier versions have no compositions. */
export type CapableJob = JobOptions &
  Pick<SyncJobCommand, 'tables'> &
  Partial<Pick<SyncJobCommand, 'compositions' | 'fetchedTables'>>;

type Options = typeof OPTIONS;
type CapableOption = {
  [Name in keyof Options]: Options[Name] extends { readonly reading: { readonly capability: number } }
    ? Name
    : never;
}[keyof Options];

export type AgentCapability = CapableOption | 'exact_numbers' | 'fetched_tables' | 'kept_databases';

/**
 * Lists what agents of earlier versions cannot do. An agent reports the numbers that it knows, and a job that needs
 * another one is never sent to it. Options declare their numbers in libs/sync-job. A dry run and a subset need none,
 * because every agent obeys them or refuses their kind of command (`runRestrictedSyncJob`).
 */
const CAPABILITIES: readonly Capability[] = [
  ...Object.entries<Declaration>(OPTIONS).flatMap(([name, { reading, default: fallback }]) =>
    reading?.capability === undefined ? [] : [ofOption(reading.capability, name as CapableOption, fallback)],
  ),
  // 2026-11-29: Earlier agents would round numbers of rules and compositions. They also do not check the numbers in
  // a command, so a job that needs this or a later number has another kind of command (`runCapableSyncJob`).
  {
    number: 4,
    name: 'exact_numbers' as const,
    text: 'numbers that a double would change',
    isNeeded: ({ tables, compositions = [] }: CapableJob) =>
      tables.some(({ columns }) => columns.some(({ rule }) => hasExactNumbers(rule))) ||
      compositions.some(({ definitionJson }) => hasExactNumbers(parseExactJson(definitionJson))),
  },
  // 2026-11-30: Earlier agents would copy no table of a job whose command does not contain the tables.
  {
    number: 6,
    name: 'fetched_tables' as const,
    text: 'tables that are too large for one command',
    isNeeded: ({ fetchedTables }: CapableJob) => fetchedTables !== undefined,
  },
  // 2026-11-30: Earlier agents refuse the commands for kept databases. No job needs them.
  {
    number: 8,
    name: 'kept_databases' as const,
    text: 'kept databases',
    isNeeded: () => false,
  },
].toSorted((one, other) => one.number - other.number);

function ofOption(number: number, name: CapableOption, fallback: unknown): Capability {
  return { number, name, isNeeded: (job) => (requestedOptions(job)[name] ?? fallback) !== fallback };
}

/** An agent that knows this number or a later one refuses a command with a number that it does not know. */
export const FIRST_CHECKED_NUMBER = 4;

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
  const named = CAPABILITIES.filter(({ name }) => capabilities.includes(name));
  return named.map(({ name, text = name }) => text).join(' and ');
}
