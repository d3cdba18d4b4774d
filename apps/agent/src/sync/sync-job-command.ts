/** What the control plane asks for, after the wire: secrets opened, protobuf gone. */
export interface SyncJobCommand {
  readonly jobId: string;
  /** The lease's number; events and takeovers count by it. */
  readonly epoch: number;
  /** 0 … 2^53 − 1. */
  readonly seed: number;
  /** Milliseconds since the Unix epoch that relative dates resolve against. */
  readonly referenceInstantMs: number;
  readonly source: DatabaseReference;
  readonly target: DatabaseReference;
  readonly tables: readonly TableRules[];
  readonly unlistedColumns: UnlistedColumns;
}

export type DatabaseReference =
  | { readonly kind: 'agent'; readonly name: string }
  /** Holds a password: never logged, never part of an error. */
  | { readonly kind: 'url'; readonly url: string };

export interface TableRules {
  /** As in SQL: `t`, `schema.t`, `"Odd Schema"."T"`. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly rule: unknown }[];
  readonly unlistedColumns?: UnlistedColumns;
}

export type UnlistedColumns = 'preserve' | 'reject' | 'null';
