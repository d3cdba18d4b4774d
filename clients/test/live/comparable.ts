/** Values that differ between two organisations or two runs: ids, secrets, hashes, times and URLs. */
const VARYING: readonly [RegExp, string][] = [
  [/\b([a-z]{2,4})_[0-9A-HJKMNP-TV-Z]{26}\b/g, '$1_<id>'],
  [/\bus_[a-z]*_?[\w-]{16,}/g, '<token>'],
  [/\bwhsec_[\w+/=-]+/g, '<secret>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\b[0-9a-f-]{36}\b/g, '<uuid>'],
  [/127\.0\.0\.1:\d+/g, '<host>'],
];

/** Fields whose values depend on the moment of the request. */
const MEASURED = new Set([
  ...['duration_ms', 'seconds', 'rows_per_second', 'bytes_per_second', 'size_bytes', 'duration_seconds'],
  ...[
    'hint',
    'last_used_at',
    'last_seen_at',
    'link',
    'api_calls',
    'request_id',
    'progress',
    'masking_key_fingerprint',
    'free_slots',
    'running',
    ...['first_day', 'last_day', 'day'],
    ...['webhook-timestamp', 'webhook-signature', 'X-Service-Signature'],
    'facts',
    ...['attempt_history', 'revision'],
  ],
]);

/**
 * Replaces all values that may differ between clients that use the API in the same way.
 * @param organization the name of the organisation
 */
export function comparable(value: unknown, organization: string, field = ''): unknown {
  if (MEASURED.has(field)) return '<measured>';
  if (value === organization) return '<organization>';
  if (typeof value === 'string')
    return VARYING.reduce((text, [pattern, by]) => text.replace(pattern, by), value);
  if (Array.isArray(value)) return value.map((item) => comparable(item, organization));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, item]) => [name, comparable(item, organization, name)]);
  return Object.fromEntries(fields);
}
