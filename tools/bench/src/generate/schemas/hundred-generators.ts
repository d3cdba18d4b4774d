import type { JsonObject } from './person-schema.js';

/** @returns a schema with ten generators of each common kind, like a large hand-written schema */
export function hundredGenerators(): { generators: JsonObject; output: readonly string[] } {
  const generators = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => Object.entries(tenGenerators(i))).flat(),
  );
  return { generators, output: Object.keys(generators) };
}

function tenGenerators(i: number): JsonObject {
  const svc = (algorithm: string, params: JsonObject = {}): JsonObject => ({
    type: 'svc',
    algorithm,
    params,
  });
  return {
    [`id_${i}`]: svc('uuid_v4'),
    [`first_name_${i}`]: { type: 'model', source: 'en_US/first_names' },
    [`last_name_${i}`]: { type: 'model', source: 'en_US/last_names' },
    [`email_${i}`]: { body: `{{lowercase(first_name_${i})}}.{{lowercase(last_name_${i})}}@example.com` },
    [`age_${i}`]: svc('int_between', { min: 18, max: 90 }),
    [`created_at_${i}`]: svc('datetime_between', { start: '-1year', end: 'now' }),
    [`status_${i}`]: { type: 'list', values: ['new', 'paid', { value: 'sent', weight: 5 }] },
    [`amount_${i}`]: { ...svc('float_between', { min: 0, max: 1000 }), nullable: 0.1 },
    [`total_${i}`]: { computed: `round(coalesce(amount_${i}, 0) * 1.21, 2)` },
    [`code_${i}`]: { ...svc('nanoid', { length: 8 }), transform: 'uppercase(value)' },
  };
}
