import { type AgentCapability, type AgentOffer, BY_URL } from '@understudy/agent-protocol';

import type { SelectorResponse } from './agent-selector.dto.js';

/** A caller's selection of the agents that may run the work. An agent must match each field that is present. */
export interface AgentSelector {
  readonly id?: string;
  readonly name?: string;
  readonly labels?: readonly string[];
}

/**
 * The requirement that is stored with work. An agent may run the work if its profile contains the
 * requirement, as defined by the jsonb operator `@>`. An absent key requires nothing.
 */
export interface AgentRequirement extends AgentSelector {
  /** The databases that the agent must be able to open: keys of {@link AgentOffer.policies}, and {@link SNAPSHOTS}. */
  readonly opens?: readonly string[];
  readonly snapshotStore?: string;
  /** The options of the work that the agent must apply. */
  readonly capabilities?: readonly AgentCapability[];
  /**
   * Fingerprint of the masking key of the agents for which the work was accepted, or of the first attempt's agent. An
   * agent needs the same masking key and the same policies.
   */
  readonly maskingKey?: string;
  readonly policies?: Readonly<Record<string, string>>;
}

/** The key in {@link AgentRequirement.opens} for work that needs an agent with a snapshot store. */
export const SNAPSHOTS = 'snapshots';

/** The facts about an agent that decide whether it may run work. */
export interface AgentProfile {
  readonly id: string;
  readonly name: string;
  readonly snapshotStore: string | null;
  /** Null for an agent that accepts no new work. */
  readonly offer: AgentOffer | null;
}

/** The columns of work that decide which agents may run it. */
export interface WorkEligibility {
  readonly requires: AgentRequirement;
  /** Ids of the agents that can open the URLs of the work; null for work without URLs. */
  readonly sealedTo: readonly string[] | null;
}

/** The reasons why an agent may not run work, in the order in which {@link mismatchOf} checks them. */
export const MISMATCHES = [
  'selector',
  'sealed',
  'former_database',
  'masking_key',
  'policy',
  'database',
  'capability',
] as const;
export type Mismatch = (typeof MISMATCHES)[number];

/** Returns the first reason why an agent may not run the work; undefined if it may run the work. */
export function mismatchOf(
  agent: AgentProfile,
  { requires, sealedTo }: WorkEligibility,
): Mismatch | undefined {
  const profile = profileOf(agent);
  const { opens, snapshotStore, capabilities, maskingKey, policies, ...selector } = requires;
  if (!contains(profile, selector)) return 'selector';
  if (sealedTo !== null && !sealedTo.includes(agent.id)) return 'sealed';
  // An agent without the databases also lacks their policy, and its masking key does not matter.
  if (!contains(profile, { maskingKey, policies }) && !contains(profile, { opens })) return 'former_database';
  if (!contains(profile, { maskingKey })) return 'masking_key';
  if (!contains(profile, { policies })) return 'policy';
  if (!contains(profile, { opens, snapshotStore })) return 'database';
  return contains(profile, { capabilities }) ? undefined : 'capability';
}

/**
 * Adds the fingerprints of the agent's masking key and policies, so that another attempt requires the same ones. Call
 * this function when an agent gets the work.
 */
export function bound(requires: AgentRequirement, { offer }: AgentProfile): AgentRequirement {
  if (offer === null) return requires;
  const opened = Object.entries(offer.policies).filter(([key]) => requires.opens?.includes(key));
  return { ...requires, maskingKey: offer.maskingKey, policies: Object.fromEntries(opened) };
}

/**
 * Removes the fingerprints that work needs only after an agent has begun it. The work still requires the same
 * database behind each name.
 */
export function unbound(requires: AgentRequirement): AgentRequirement {
  const { maskingKey, policies = {}, ...rest } = requires;
  const named = Object.entries(policies).filter(([key]) => key !== BY_URL);
  if (named.length === 0) return rest;
  return { ...rest, maskingKey, policies: Object.fromEntries(named) };
}

/**
 * Adds the fingerprints that the connected agents offer for the names of databases. An agent that connects later and
 * offers another database under such a name may then not run the work, even if the caller's selection matches it.
 * @param live agents of which those that the caller selected offer no name in different ways; see `ambiguityOf`
 * @returns `requires` if no agent that the caller selected offers all databases
 */
export function boundToNames(requires: AgentRequirement, live: readonly AgentProfile[]): AgentRequirement {
  const conditions = { requires: { ...requires, capabilities: undefined }, sealedTo: null };
  const agent = live.find((one) => mismatchOf(one, conditions) === undefined);
  return agent === undefined ? requires : unbound(bound(requires, agent));
}

/** Returns the caller's selection; null if the caller selected no agent. */
export function selectorOf({ id, name, labels = [] }: AgentRequirement): SelectorResponse {
  if (id === undefined && name === undefined && labels.length === 0) return null;
  return { id: id ?? null, name: name ?? null, labels };
}

function profileOf({ id, name, snapshotStore, offer }: AgentProfile) {
  return {
    ...{ id, name, snapshotStore },
    ...{ labels: offer?.labels, maskingKey: offer?.maskingKey, policies: offer?.policies },
    capabilities: offer?.capabilities ?? [],
    opens: [...Object.keys(offer?.policies ?? {}), ...(snapshotStore === null ? [] : [SNAPSHOTS])],
  };
}

/** Implements the jsonb operator `@>` for texts, lists of texts and objects. An undefined part requires nothing. */
function contains(whole: unknown, part: unknown): boolean {
  if (part === undefined) return true;
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((item) => whole.includes(item));
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([key, value]) =>
    contains(Object.hasOwn(whole, key) ? Reflect.get(whole, key) : undefined, value),
  );
}

/** Returns an SQL condition: an offer has the masking key and the policies to which `requires` is bound, if any. */
export function offersSame(offer: string, requires: string): string {
  return `${offer} @> jsonb_strip_nulls(jsonb_build_object(
      'maskingKey', ${requires} -> 'maskingKey', 'policies', ${requires} -> 'policies'))`;
}

/** Returns an SQL condition: the row `agent` of `agents` meets `requires`, by the same rules as {@link mismatchOf}. */
export function meets(requires: string): string {
  return `coalesce(agent.offer, '{}') || jsonb_build_object(
      'id', agent.id, 'name', agent.name, 'snapshotStore', agent.snapshot_store,
      'opens', coalesce((SELECT jsonb_agg(key) FROM jsonb_object_keys(agent.offer -> 'policies') AS key), '[]')
        || CASE WHEN agent.snapshot_store IS NULL THEN '[]' ELSE '["${SNAPSHOTS}"]'::jsonb END
    ) @> ${requires}`;
}
