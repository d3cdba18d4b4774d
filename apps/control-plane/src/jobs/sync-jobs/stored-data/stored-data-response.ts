import { JOB_SCHEMA, type EventEnum, type EventField } from '../../../agents/agent-link/wire/job-schema.js';

import type { FactValue, StoredFact, StoredJob } from './stored-fact.js';
import { STORED_FACTS } from './stored-facts.js';
import { factsOf } from './stored-fields.js';

export interface StoredDataResponse {
  readonly facts: readonly FactResponse[];
  readonly messages: readonly {
    readonly name: string;
    readonly description: string;
    readonly fields: readonly FieldResponse[];
  }[];
  readonly enums: readonly EventEnum[];
}

export interface FactResponse {
  readonly path: string;
  readonly origin: StoredFact['origin'];
  readonly description: string;
  /** Null if values are not shown. */
  readonly value_count: number | null;
  /** Null if values are not shown. */
  readonly values: readonly string[] | null;
}

export interface FieldResponse extends EventField {
  readonly stored_in: readonly string[];
}

/** The largest number of values of one fact in a response. */
export const MAX_VALUES = 20;
/** The largest number of characters of a value in a response. */
export const MAX_CHARACTERS = 500;

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

function toFact({ path, origin, description, values }: StoredFact, job: StoredJob): FactResponse {
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
