import { AGENT_LABEL, MAX_AGENT_LABELS } from '@understudy/sync-job';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches, ValidateBy, ValidateNested } from 'class-validator';
import { Type } from 'typebox';

import { Documented } from '../../../platform/http/dto/documented.js';
import { Nested, isRecord } from '../../../platform/http/dto/read-dto.js';
import { Optional, expected } from '../../../platform/http/dto/field-validators.js';
import { nullable, nullableId, type ResponseOf } from '../../../platform/http/operations/schemas.js';

export class AgentSelectorDto {
  @Documented(
    'Id of the agent. The control plane assigns ids; names and labels are chosen by the person who configures the agent.',
  )
  @Optional()
  @Matches(/^agt_[0-9A-Z]{26}$/, expected('an agent id'))
  id?: string;

  @Documented('Name of the agent, as shown by `GET /v1/agents`. Several agents may have the same name.')
  @Optional()
  @Matches(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/, expected('the name of an agent'))
  name?: string;

  @Documented('Labels of the agent (`UNDERSTUDY_AGENT_LABELS`). The agent must have all of them.')
  @Optional()
  @Matches(AGENT_LABEL, { each: true, message: 'expected labels of agents' })
  @ArrayMinSize(1, expected('at least one label'))
  @ArrayMaxSize(MAX_AGENT_LABELS, expected(`at most ${MAX_AGENT_LABELS} labels`))
  @IsArray(expected('an array of labels'))
  labels?: string[];
}

/** The optional field `agent` of a request for work. */
export function SelectsAgent(): PropertyDecorator {
  const decorators = [
    Documented(
      'Selects the agents that may run the work. An agent must match each given field. By default, any agent that offers the databases may run the work. A connection URL is sealed only to agents that may run the work.',
      { minProperties: 1 },
    ),
    Optional(),
    ValidateBy(
      {
        name: 'isPlainObject',
        validator: { validate: (value) => isRecord(value) && Object.keys(value).length > 0 },
      },
      expected('an object {id, name, labels} with at least one of them'),
    ),
    ValidateNested(),
    Nested(() => AgentSelectorDto),
  ];
  return (target, property) => {
    for (const decorate of decorators.reverse()) decorate(target, property);
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
