/** One of those that make the same kind of records, each to bytes of NDJSON. */
export interface Contender {
  readonly name: string;
  /** Makes `count` records and throws their bytes away. @returns how many bytes there were */
  run(count: number): number;
}
