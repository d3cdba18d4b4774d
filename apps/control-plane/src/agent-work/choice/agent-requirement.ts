import type { AgentOffer } from '../../agent-link/messages/agent-heartbeat.js';

/** Which agents a caller lets do the work. Each part that is given has to match. */
export interface AgentSelector {
  readonly id?: string;
  readonly name?: string;
  readonly labels?: readonly string[];
}

/**
 * What work asks of an agent, as it is stored: an agent may do the work if its profile contains all of this, in the sense of jsonb's `@>`.
 * Keys that are absent ask for nothing.
 */
export interface AgentRequirement extends AgentSelector {
  /** What the agent has to open: keys of {@link AgentOffer.policies}, and {@link SNAPSHOTS}. */
  readonly opens?: readonly string[];
  readonly snapshotStore?: string;
  /** Of the agent of the first attempt, as are the policies: a retry has to go on under the same ones. */
  readonly maskingKey?: string;
  readonly policies?: Readonly<Record<string, string>>;
}

/** The work may be done by agents that keep snapshots. */
export const SNAPSHOTS = 'snapshots';

/** An agent as far as work asks. */
export interface AgentProfile {
  readonly id: string;
  readonly name: string;
  readonly snapshotStore: string | null;
  /** Null for an agent that takes no new work. */
  readonly offer: AgentOffer | null;
}

/** The columns of work that say who may do it. */
export interface WorkEligibility {
  readonly requires: AgentRequirement;
  /** Ids of the agents that can open its URLs; null for work without any. */
  readonly sealedTo: readonly string[] | null;
}

/** The first thing that keeps an agent from the work, in this order. */
export const MISMATCHES = ['selector', 'sealed', 'masking_key', 'policy', 'database'] as const;
export type Mismatch = (typeof MISMATCHES)[number];

/** @returns undefined for an agent that may do the work */
export function mismatchOf(
  agent: AgentProfile,
  { requires, sealedTo }: WorkEligibility,
): Mismatch | undefined {
  const profile = profileOf(agent);
  const { opens, snapshotStore, maskingKey, policies, ...selector } = requires;
  if (!contains(profile, selector)) return 'selector';
  if (sealedTo !== null && !sealedTo.includes(agent.id)) return 'sealed';
  if (!contains(profile, { maskingKey })) return 'masking_key';
  if (!contains(profile, { policies })) return 'policy';
  return contains(profile, { opens, snapshotStore }) ? undefined : 'database';
}

/** What a retry has to find again, of the agent of the first attempt. */
export function bound(requires: AgentRequirement, { offer }: AgentProfile): AgentRequirement {
  if (offer === null || requires.maskingKey !== undefined) return requires;
  const opened = Object.entries(offer.policies).filter(([key]) => requires.opens?.includes(key));
  return { ...requires, maskingKey: offer.maskingKey, policies: Object.fromEntries(opened) };
}

/** Of work that no agent has begun: the parts that {@link bound} adds are undefined, and so not stored. */
export function unbound(requires: AgentRequirement): AgentRequirement {
  return { ...requires, maskingKey: undefined, policies: undefined };
}

/** As the API shows it. */
export interface SelectorResponse {
  readonly id: string | null;
  readonly name: string | null;
  readonly labels: readonly string[];
}

/** @returns null for work that any agent may do that offers the databases */
export function selectorOf({ id, name, labels = [] }: AgentRequirement): SelectorResponse | null {
  if (id === undefined && name === undefined && labels.length === 0) return null;
  return { id: id ?? null, name: name ?? null, labels };
}

function profileOf({ id, name, snapshotStore, offer }: AgentProfile) {
  return {
    ...{ id, name, snapshotStore },
    ...{ labels: offer?.labels, maskingKey: offer?.maskingKey, policies: offer?.policies },
    opens: [...Object.keys(offer?.policies ?? {}), ...(snapshotStore === null ? [] : [SNAPSHOTS])],
  };
}

/** As jsonb's `@>` for texts, lists of texts and objects. A part that is undefined asks for nothing. */
function contains(whole: unknown, part: unknown): boolean {
  if (part === undefined) return true;
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((item) => whole.includes(item));
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([key, value]) =>
    contains(Object.hasOwn(whole, key) ? Reflect.get(whole, key) : undefined, value),
  );
}

/** SQL: whether the row `agent` of `agents` has all that `requires` asks for, as {@link mismatchOf} does. */
export function meets(requires: string): string {
  return `coalesce(agent.offer, '{}') || jsonb_build_object(
      'id', agent.id, 'name', agent.name, 'snapshotStore', agent.snapshot_store,
      'opens', coalesce((SELECT jsonb_agg(key) FROM jsonb_object_keys(agent.offer -> 'policies') AS key), '[]')
        || CASE WHEN agent.snapshot_store IS NULL THEN '[]' ELSE '["${SNAPSHOTS}"]'::jsonb END
    ) @> ${requires}`;
}
