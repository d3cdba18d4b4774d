/** What a queue needs to know beyond its name. */
export interface QueueTraits {
  /** Pieces of work that one process runs at once. */
  readonly atOnce: number;
  /** How many failed pieces stay, for somebody to look at and to retry; 0: what failed is found again in Postgres. */
  readonly keepFailed: number;
  /** How long work that was cut off with its process keeps its place. */
  readonly stalledMs: number;
}

/** Every queue there is. Receivers of webhooks are slow at will, so they do not share one with the jobs. */
export const QUEUES = {
  work: { atOnce: 4, keepFailed: 0, stalledMs: 5_000 },
  webhooks: { atOnce: 64, keepFailed: 1_000, stalledMs: 5_000 },
} as const satisfies Record<string, QueueTraits>;

export type QueueName = keyof typeof QUEUES;
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];
