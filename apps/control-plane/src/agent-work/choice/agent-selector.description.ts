import { Type } from 'typebox';

import { nullable, nullableId } from '../../api-description/schemas.js';

/** The field `agent` of work. */
export const AGENT_SELECTOR = nullable(
  Type.Object({
    id: nullableId('agt', 'Of the agent.'),
    name: nullable(Type.String(), 'Of the agent.'),
    labels: Type.Array(Type.String(), { description: 'The agent has all of them.' }),
  }),
  'Which agents may run it; null: every agent that offers the databases.',
);
