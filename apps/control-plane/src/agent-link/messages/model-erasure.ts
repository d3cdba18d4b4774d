/** What the deletion of a private model asks of an agent, before it becomes protobuf. */
export interface ModelErasure {
  /** `ers_` + ULID */
  readonly id: string;
  /** Without `private/`. */
  readonly name: string;
  readonly requestedAt: Date;
}
