import { JOB_SCHEMA } from '@understudy/agent-protocol';
import { Type } from 'typebox';

import {
  named,
  nullable,
  nullableCount,
  oneOf,
  type ResponseOf,
} from '../../../platform/http/operations/schemas.js';
import { FACT_ORIGINS, type FactValue, type StoredFact, type StoredJob } from './stored-fact.js';
import { STORED_FACTS } from './stored-facts.js';
import { factsOf } from './stored-fields.js';

/** The largest number of values of one fact in a response. */
const MAX_VALUES = 20;
/** The largest number of characters of a value in a response. */
const MAX_CHARACTERS = 500;

const text = (description: string) => Type.String({ description });

const FactResponse = named('StoredFact', {
  path: text('Path of the fact in the job. Facts that a job does not show have a path of their own.'),
  origin: oneOf(FACT_ORIGINS, 'The source of the fact: your request, an agent, or the control plane.'),
  description: text('Meaning of the fact.'),
  value_count: nullableCount('Number of stored values. Null if the values are not shown.'),
  values: nullable(
    Type.Array(Type.String(), { maxItems: MAX_VALUES }),
    `The first ${MAX_VALUES} distinct values as text, each of at most ${MAX_CHARACTERS} characters. Null if the values are not shown, because they can contain what you wrote in the request.`,
  ),
});

const FieldResponse = named('WireField', {
  name: text('Name of the field.'),
  type: text('Type of the field: a scalar type of protobuf, a message or an enum.'),
  kind: oneOf(
    ['number', 'hash', 'flag', 'choice', 'text', 'time', 'message'],
    'Kind of the values. Only `text` can hold text.',
  ),
  repeated: Type.Boolean({ description: 'Whether the field is a list.' }),
  description: text('Comment of the schema. Empty if it has none.'),
  reviewed: nullable(
    Type.String(),
    'Reason why the field can contain nothing from a row. Null for fields whose type needs no review.',
  ),
  stored_in: Type.Array(Type.String(), {
    description:
      'Paths of the facts that contain the field. Empty for nested messages and for what is not stored.',
  }),
});

export const StoredDataResponse = named('StoredData', {
  facts: Type.Array(FactResponse, { description: 'Everything that is stored about the job.' }),
  messages: Type.Array(
    Type.Object({
      name: text('Name of the message.'),
      description: text('Comment of the schema. Empty if it has none.'),
      fields: Type.Array(FieldResponse),
    }),
    { description: 'Every message that an agent can send about a job.' },
  ),
  enums: Type.Array(
    Type.Object({
      name: text('Name of the enum.'),
      values: Type.Array(
        Type.Object({
          name: text('Name of the value.'),
          description: text('Comment of the schema. Empty if it has none.'),
        }),
      ),
    }),
    { description: 'The values of each field of the kind `choice`.' },
  ),
});
export type StoredDataResponse = ResponseOf<typeof StoredDataResponse>;

export function toStoredData(job: StoredJob): StoredDataResponse {
  return { facts: STORED_FACTS.map((fact) => toFact(fact, job)), ...MESSAGES };
}

const MESSAGES = {
  messages: JOB_SCHEMA.messages.map(({ name, description, fields }) => ({
    ...{ name, description },
    fields: fields.map((field) => ({ ...field, stored_in: factsOf(name, field.name) ?? [] })),
  })),
  enums: JOB_SCHEMA.enums,
};

function toFact(
  { path, origin, description, values }: StoredFact,
  job: StoredJob,
): StoredDataResponse['facts'][number] {
  const found = values?.(job).flatMap((value) => textOf(value) ?? []);
  return {
    ...{ path, origin, description },
    value_count: found?.length ?? null,
    values: found === undefined ? null : [...new Set(found)].slice(0, MAX_VALUES).map(shortened),
  };
}

function textOf(value: FactValue): string | undefined {
  if (value === null || value === undefined) return undefined;
  return value instanceof Date ? value.toISOString() : String(value);
}

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_CHARACTERS)];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : text;
}
