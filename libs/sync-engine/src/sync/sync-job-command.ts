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
  /** By the control plane's clock. */
  readonly acceptedAtMs: number;
  /** Make every check and write nothing. */
  readonly dryRun?: boolean;
  /** Uploaded models that the rules draw from. */
  readonly hostedModels: readonly HostedModel[];
  /** Registered compositions that the rules use, inner ones too. */
  readonly compositions: readonly JobComposition[];
}

export interface JobComposition {
  /** As definitions name it. */
  readonly use: string;
  /** One JSON object. */
  readonly definitionJson: string;
  /** SHA-256 of that text, in lower-case hex. */
  readonly hash: string;
}

export interface HostedModel {
  /** `custom/<name>` */
  readonly id: string;
  /** SHA-256 of the file, in lower-case hex. */
  readonly hash: string;
  readonly byteLength: number;
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
  readonly subset?: TableSubset;
}

/** Which rows of a table are asked for; at least one of the two. */
export interface TableSubset {
  /** A condition as its author wrote it: read by libs/row-condition, never part of a statement. */
  readonly where?: string;
  /** The first so many rows by primary key. */
  readonly limit?: number;
}

export type UnlistedColumns = 'preserve' | 'reject' | 'null';
