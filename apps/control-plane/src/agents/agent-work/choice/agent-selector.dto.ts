import { AGENT_SELECTION } from '@understudy/sync-job';
import { Type } from 'typebox';

import { Declared } from '../../../platform/http/dto/declared.js';
import { Optional } from '../../../platform/http/dto/field-validators.js';
import { nullable, nullableId, type ResponseOf } from '../../../platform/http/operations/schemas.js';

/** The optional field `agent` of a request for work. */
export function SelectsAgent(): PropertyDecorator {
  return (target, property) => {
    Optional()(target, property);
    Declared(AGENT_SELECTION)(target, property);
  };
}

/** The field `agent` of work. */
export const AGENT_SELECTOR = nullable(
  Type.Object({
    id: nullableId('agt', 'Id of the agent.'),
    name: nullable(Type.String(), 'Name of the agent.'),
    labels: Type.Array(Type.String(), { description: 'The agent must have all of these labels.' }),
  }),
  'The selected agents; null if any agent that offers the databases may run the work.',
);
export type SelectorResponse = ResponseOf<typeof AGENT_SELECTOR>;
