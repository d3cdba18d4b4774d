export const SMALL = { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] };

/** Generates about 600 bytes per record. A hundred thousand records exceed the buffers of a connection. */
export const WIDE = {
  generators: {
    n: { type: 'svc', algorithm: 'sequence' },
    id: { type: 'svc', algorithm: 'uuid_v4' },
    text: { body: `{{id}}${'x'.repeat(500)}` },
  },
  output: ['n', 'id', 'text'],
};

/** Exceeds only the time limit: an item takes about a millisecond, and one record has 100,000 items. */
export const ENDLESS = {
  generators: {
    text: { body: 'ab'.repeat(2_000) },
    many: {
      repeat: {
        count: 100_000,
        of: { body: `{{${Array(40).fill("length(replace(text, 'a', 'bb'))").join(' + ')}}}` },
      },
    },
  },
  output: ['many'],
};
