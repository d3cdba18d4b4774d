import { Injectable } from '@nestjs/common';

import { type AgentCapability, BY_URL, byName, namesOfCapabilities } from '@understudy/agent-protocol';

import { AgentsService, type EnrolledAgent } from '../../registry/agents.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { AgentDatabase } from '../connections/agent-database.js';
import { ambiguityOf } from './ambiguity.js';
import {
  boundToNames,
  mismatchOf,
  SNAPSHOTS,
  type AgentRequirement,
  type AgentSelector,
  type WorkEligibility,
} from './agent-requirement.js';
import { sealConnections, type OpenConnection } from '../connections/seal-connections.js';

/** Work from an API request that is not accepted yet. */
export interface NewWork<Side extends 'source' | 'target'> {
  readonly organizationId: string;
  readonly id: string;
  readonly databases: Readonly<Record<Side, OpenConnection>>;
  /** Undefined if the caller accepts any agent. */
  readonly selector: AgentSelector | undefined;
  /**
   * Present if the agent must have a snapshot store. `store` is the fingerprint of the required store; absent
   * if any store is accepted.
   */
  readonly snapshots?: { readonly store?: string };
  /** The options of the work that the agent must apply. The default is none. */
  readonly capabilities?: readonly AgentCapability[];
}

/** Decides which agents may run new work, and seals the connection URLs of the work to only those agents. */
@Injectable()
export class AgentPlacement {
  constructor(private readonly agents: AgentsService) {}

  /**
   * Returns the conditions for agents that may run the work, and the databases with their URLs sealed. All live
   * agents that the caller selects and that offer the same database name must have the same masking key and the
   * same policy for that name. Only agents with this key and policy may then run the work. A caller who selects
   * no agent selects all of them.
   * @throws ApiError `conflict` if no agent could open a URL, or if live agents differ in the masking key or
   *   the policy of a database name
   */
  async place<Side extends 'source' | 'target'>(
    work: NewWork<Side>,
  ): Promise<WorkEligibility & { readonly databases: Record<Side, AgentDatabase> }> {
    const { organizationId, id: jobId, databases, selector } = work;
    const given = Object.values<OpenConnection>(databases);
    const live = await this.agents.liveAgents(organizationId);
    const wanted = requirementOf(work, given);
    const ambiguity = ambiguityOf(wanted, live);
    if (ambiguity !== undefined) throw new ApiError('conflict', ambiguity);
    const requires = boundToNames(wanted, live);
    const hasUrl = given.some(({ kind }) => kind === 'url');
    const enrolled = hasUrl ? await this.agents.enrolledAgents(organizationId) : [];
    const able = enrolled.filter((agent) => mismatchOf(agent, { requires, sealedTo: null }) === undefined);
    if (hasUrl && able.length === 0)
      throw new ApiError('conflict', noRecipientMessage(enrolled, selector, requires));
    return {
      requires,
      sealedTo: hasUrl ? able.map(({ id }) => id) : null,
      databases: await sealConnections({ organizationId, jobId }, databases, able),
    };
  }
}

function requirementOf(
  { selector, snapshots, capabilities = [] }: Pick<NewWork<never>, 'selector' | 'snapshots' | 'capabilities'>,
  databases: readonly OpenConnection[],
): AgentRequirement {
  const opens = databases.map((database) => (database.kind === 'agent' ? byName(database.name) : BY_URL));
  return {
    ...selector,
    opens: [...new Set([...opens, ...(snapshots === undefined ? [] : [SNAPSHOTS])])],
    ...(snapshots?.store === undefined ? {} : { snapshotStore: snapshots.store }),
    ...(capabilities.length === 0 ? {} : { capabilities }),
  };
}

function noRecipientMessage(
  enrolled: readonly EnrolledAgent[],
  selector: AgentSelector | undefined,
  requires: AgentRequirement,
): string {
  if (enrolled.length === 0) return NO_AGENT;
  const mismatches = enrolled.map((agent) => mismatchOf(agent, { requires, sealedTo: null }));
  if (mismatches.includes('capability'))
    return `A connection URL is sealed to the agents that may run the work, but the agents that offer its databases are too old for ${namesOfCapabilities(requires.capabilities)}. Update an agent.`;
  return selector === undefined ? NO_ABLE_AGENT : NO_SELECTED_AGENT;
}

const NO_AGENT =
  "A connection URL is sealed to the agents of the organisation, but no agent is enrolled yet. Enrol an agent first, or use agent:<name> with a database of the agent's policy file.";
const NO_ABLE_AGENT =
  'A connection URL is sealed to the agents that may run the work, but no enrolled agent offers all databases of the work. Start an agent whose policy allows URLs and lists each database that the request names as agent:<name>.';
const NO_SELECTED_AGENT =
  'A connection URL is sealed to the agents that may run the work, but no agent that the field agent selects offers all databases of the work. Select another agent, or start one whose policy allows URLs and lists each database that the request names as agent:<name>.';
