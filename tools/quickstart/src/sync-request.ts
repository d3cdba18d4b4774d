import type { CreateSyncJobRequest } from '@understudy/client';

/**
 * Builds the sync job of the quickstart. It copies five tables and masks eight columns, two of them with
 * private models that the agent trains.
 */
export function shopSyncRequest(sourceUrl: string, targetUrl: string): CreateSyncJobRequest {
  return {
    name: 'shop to staging',
    source: { type: 'postgresql', connection_string: sourceUrl },
    target: { type: 'postgresql', connection_string: targetUrl },
    tables: [
      {
        name: 'customers',
        columns: {
          first_name: { generator: 'en_US/first_names' },
          last_name: { generator: 'en_US/last_names' },
          email: {
            generator: 'template',
            pattern: '{{slug(first_name)}}.{{slug(last_name)}}.{{substring(uuid, 0, 8)}}@example.test',
          },
          phone: {
            type: 'svc',
            algorithm: 'digits',
            params: { digits: 7, leading_zero: true },
            transform: "concat('+1 555 ', value)",
          },
          company: { generator: 'private/companies', train: { order: 4, min_values: 5 } },
          date_of_birth: {
            type: 'svc',
            algorithm: 'date_between',
            params: { start: '1940-01-01', end: '2005-12-31' },
          },
          preferences: { preserve: true },
        },
      },
      {
        name: 'addresses',
        columns: { street: { generator: 'private/streets', train: { order: 4, min_values: 5 } } },
      },
      { name: 'products', columns: {} },
      { name: 'orders', columns: { gift_note: { generator: 'template', pattern: 'A note from {{uuid}}' } } },
      { name: 'order_items', columns: {} },
    ],
  };
}
