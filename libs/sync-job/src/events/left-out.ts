/**
 * The kinds of objects that a job counts if the source has them and the target lacks them after the job. The
 * names are those of the fields of LeftOut in proto/understudy/v1/event.proto.
 */
export const LEFT_OUT_KINDS = [
  'tables',
  'foreign_tables',
  'views',
  'materialized_views',
  'functions',
  'types',
  'sequences',
  'schemas',
  'extensions',
] as const;
export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

/** The number of objects of each kind. */
export type LeftOut = Readonly<Record<LeftOutKind, number>>;

/** Returns a number of objects as text, such as `2 views` and `1 materialized view`. */
export function leftOutText(kind: LeftOutKind, count: number): string {
  const words = kind.replace('_', ' ');
  return `${count} ${count === 1 ? words.slice(0, -1) : words}`;
}
