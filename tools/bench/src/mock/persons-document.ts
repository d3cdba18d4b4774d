/** Builds the OpenAPI document of the persons, from which prism builds its responses. */
export function personsDocument(records: number): object {
  const person = {
    type: 'object',
    required: ['id', 'first_name', 'last_name', 'email', 'age', 'created_at'],
    additionalProperties: false,
    properties: {
      id: { type: 'string', format: 'uuid' },
      first_name: { type: 'string', 'x-faker': 'person.firstName' },
      last_name: { type: 'string', 'x-faker': 'person.lastName' },
      email: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 18, maximum: 90 },
      created_at: { type: 'string', format: 'date-time' },
    },
  };
  const schema = { type: 'array', minItems: records, maxItems: records, items: person };
  return {
    openapi: '3.0.3',
    info: { title: 'Persons', version: '1' },
    paths: {
      '/': {
        get: {
          responses: { 200: { description: 'Persons.', content: { 'application/json': { schema } } } },
        },
      },
    },
  };
}
