import type { Step } from '../step.js';
import { AGENTS, LOST_AGENT } from './agents.js';
import { CATALOG } from './catalog.js';
import { GENERATE } from './generate.js';
import { HELD_JOB, JOBS, LOST_JOB, REPLACEMENT, SNAPSHOTS } from './jobs.js';
import { ORGANIZATION } from './organization.js';
import { DELIVERIES, RECORDS, WEBHOOKS } from './webhooks.js';

/** Every operation of the API except those of agents, in three parts. */
export const EVERY_OPERATION = {
  /** While the agents run. */
  withAgent: [
    ...GENERATE,
    ...CATALOG,
    ...ORGANIZATION,
    ...AGENTS,
    ...WEBHOOKS,
    ...JOBS,
    ...SNAPSHOTS,
    ...DELIVERIES,
    ...REPLACEMENT,
    ...RECORDS,
  ],
  /** After that, all agents are killed. */
  beforeLoss: HELD_JOB,
  afterLoss: [...LOST_JOB, ...LOST_AGENT],
} satisfies Record<string, readonly Step[]>;
