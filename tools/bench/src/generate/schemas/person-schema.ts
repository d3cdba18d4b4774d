import { en } from '@faker-js/faker';

/** A JSON object in the body of a request. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Builds the schema of a person with six fields. Its name lists are faker's own English names, so that both
 * sides choose from the same names.
 */
export function personSchema(names: 'lists' | 'models'): {
  generators: JsonObject;
  output: readonly string[];
} {
  const generators = {
    id: { type: 'svc', algorithm: 'uuid_v4' },
    ...(names === 'lists' ? listNames() : MODEL_NAMES),
    email: { body: '{{lowercase(first_name)}}.{{lowercase(last_name)}}@example.com' },
    age: { type: 'svc', algorithm: 'int_between', params: { min: 18, max: 90 } },
    created_at: {
      type: 'svc',
      algorithm: 'datetime_between',
      params: { start: '2020-01-01', end: '2025-01-01' },
    },
  };
  return { generators, output: Object.keys(generators) };
}

const MODEL_NAMES = {
  first_name: { type: 'model', source: 'en_US/first_names' },
  last_name: { type: 'model', source: 'en_US/last_names' },
};

function listNames(): JsonObject {
  return {
    first_name: { type: 'list', values: fakerNames(en.person?.first_name, 'first') },
    last_name: { type: 'list', values: fakerNames(en.person?.last_name, 'last') },
  };
}

function fakerNames(
  names: { generic?: readonly string[] } | null | undefined,
  which: string,
): readonly string[] {
  if (!names?.generic) throw new Error(`expected English ${which} names in @faker-js/faker, found none`);
  return names.generic;
}
