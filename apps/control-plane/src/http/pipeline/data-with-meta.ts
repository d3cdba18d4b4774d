/** What a handler returns whose answer has keys of its own in `meta`. */
export class DataWithMeta<T> {
  constructor(
    readonly data: T,
    readonly meta: Readonly<Record<string, unknown>>,
  ) {}
}
