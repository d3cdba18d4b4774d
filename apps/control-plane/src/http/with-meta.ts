/** A handler's answer with keys of its own for the envelope's `meta`. */
export class WithMeta {
  constructor(
    readonly data: unknown,
    readonly meta: Readonly<Record<string, unknown>>,
  ) {}
}
