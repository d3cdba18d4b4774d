const withRange = (range: string): readonly string[] => [
  'ALTER TABLE sync_jobs DROP CONSTRAINT sync_jobs_seed_is_53_bits',
  `ALTER TABLE sync_jobs ADD CONSTRAINT sync_jobs_seed_is_53_bits CHECK (seed BETWEEN ${range})`,
];

/** A seed is any integer that a JSON number holds exactly. */
export const ALLOW_NEGATIVE_SEEDS = withRange('-9007199254740991 AND 9007199254740991');

export const REFUSE_NEGATIVE_SEEDS = withRange('0 AND 9007199254740991');
