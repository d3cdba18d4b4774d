/** Everything that an agent can send: the messages and enums of event.proto, with their comments. */
export interface EventSchemaData {
  readonly messages: readonly EventMessage[];
  readonly enums: readonly EventEnum[];
}

export interface EventMessage {
  readonly name: string;
  /** Empty if the schema has no comment. */
  readonly description: string;
  readonly fields: readonly EventField[];
}

export interface EventField {
  readonly name: string;
  /** A scalar type of protobuf, or the name of a message or enum. */
  readonly type: string;
  /** Only a field of the kind `text` can hold text. */
  readonly kind: 'number' | 'hash' | 'flag' | 'choice' | 'text' | 'time' | 'message';
  readonly repeated: boolean;
  /** Empty if the schema has no comment. */
  readonly description: string;
  /** The reason why the field may cross the trust boundary. Null if its type needs no review. */
  readonly reviewed: string | null;
}

export interface EventEnum {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly description: string }[];
}
