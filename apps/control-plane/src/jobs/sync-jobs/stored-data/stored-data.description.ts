import { Type } from 'typebox';

import {
  schemaOf,
  type OperationDescription,
} from '../../../platform/http/operations/operation-description.js';
import { nullable, oneOf } from '../../../platform/http/operations/schemas.js';
import {
  MAX_CHARACTERS,
  MAX_VALUES,
  type FactResponse,
  type FieldResponse,
  type StoredDataResponse,
} from './stored-data-response.js';
import { FACT_ORIGINS } from './stored-fact.js';

const text = (description: string) => Type.String({ description });

const FACT = schemaOf<FactResponse>('StoredFact')(
  Type.Object({
    path: text('Path of the fact in the job. Facts that a job does not show have a path of their own.'),
    origin: oneOf(FACT_ORIGINS, 'The source of the fact: your request, an agent, or the control plane.'),
    description: text('Meaning of the fact.'),
    value_count: nullable(
      Type.Integer({ minimum: 0 }),
      'Number of stored values. Null if the values are not shown.',
    ),
    values: nullable(
      Type.Array(Type.String(), { maxItems: MAX_VALUES }),
      `The first ${MAX_VALUES} distinct values as text, each of at most ${MAX_CHARACTERS} characters. Null if the values are not shown, because they can contain what you wrote in the request.`,
    ),
  }),
);

const FIELD = schemaOf<FieldResponse>('WireField')(
  Type.Object({
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
  }),
);

const STORED_DATA = schemaOf<StoredDataResponse>('StoredData')(
  Type.Object({
    facts: Type.Array(FACT, { description: 'Everything that is stored about the job.' }),
    messages: Type.Array(
      Type.Object({
        name: text('Name of the message.'),
        description: text('Comment of the schema. Empty if it has none.'),
        fields: Type.Array(FIELD),
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
  }),
);

const EXAMPLE = {
  facts: [
    {
      path: 'table_progress[].rows_processed',
      origin: 'agent',
      description: 'Number of copied rows.',
      value_count: 2,
      values: ['1200', '87'],
    },
  ],
  messages: [
    {
      name: 'TableProgress',
      description: '',
      fields: [
        {
          name: 'rows_processed',
          type: 'uint64',
          kind: 'number',
          repeated: false,
          description: '',
          reviewed: null,
          stored_in: ['table_progress[].rows_processed', 'rows_processed'],
        },
      ],
    },
  ],
  enums: [
    {
      name: 'TableState',
      values: [{ name: 'indexing', description: 'All rows are copied; keys and indexes are being built.' }],
    },
  ],
};

export const STORED_DATA_DESCRIPTIONS = {
  getSyncJobStoredData: {
    tag: 'Sync jobs',
    description:
      'Shows that no row of your databases is stored. `facts` lists what the control plane stores about the job. `messages` lists every field that an agent can send about a job, with the facts that contain it. The audit log, webhook deliveries, the list of private models and the records of refused events repeat some facts.',
    response: { description: 'The stored data.', data: STORED_DATA, example: EXAMPLE },
  },
} satisfies Record<string, OperationDescription>;
