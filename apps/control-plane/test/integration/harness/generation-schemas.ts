export const SMALL = { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] };

/** About 600 bytes a record: a hundred thousand are more than a connection's buffers hold. */
export const WIDE = {
  generators: {
    n: { type: 'svc', algorithm: 'sequence' },
    id: { type: 'svc', algorithm: 'uuid_v4' },
    text: { body: `{{id}}${'x'.repeat(500)}` },
  },
  output: ['n', 'id', 'text'],
};

/** Within all budgets but that of time: an item costs about a millisecond, and one record has 100,000 of them. */
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
