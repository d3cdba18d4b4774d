import { AGENT_LABEL, MAX_AGENT_LABELS } from '@understudy/sync-job';
import { ArrayMaxSize, ArrayMinSize, IsArray, Matches, ValidateBy, ValidateNested } from 'class-validator';
import { Type } from 'typebox';

import { Documented } from '../../http/dto/documented.js';
import { Nested, isRecord } from '../../http/dto/read-dto.js';
import { Optional, expected } from '../../http/dto/field-validators.js';
import { nullable, nullableId } from '../../api-description/schemas.js';

/** Which agents may run work. */
export class AgentSelectorDto {
  @Documented('Id of the agent. Names and labels are chosen by whoever configures an agent; an id is not.')
  @Optional()
  @Matches(/^agt_[0-9A-Z]{26}$/, expected('an agent id'))
  id?: string;

  @Documented('Name of the agent, as `GET /v1/agents` shows it. Several agents may have one name.')
  @Optional()
  @Matches(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/, expected('the name of an agent'))
  name?: string;

  @Documented('Labels that the agent has all of (`UNDERSTUDY_AGENT_LABELS`).')
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
      'Which agents may run it: those that match each part. Left out: every agent that offers the databases. A connection URL is sealed only to agents that may run it.',
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
    id: nullableId('agt', 'Of the agent.'),
    name: nullable(Type.String(), 'Of the agent.'),
    labels: Type.Array(Type.String(), { description: 'The agent has all of them.' }),
  }),
  'Which agents may run it; null: every agent that offers the databases.',
);
