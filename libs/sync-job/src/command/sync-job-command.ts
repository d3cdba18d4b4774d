import type { TableSubset, UnlistedColumns } from '../request/sync-request.js';

/**
 * A job as it is sent to an agent, without protobuf.
 * @typeParam Database a reference with an open URL for the agent, with a sealed one for the control plane
 */
export interface SyncJobCommand<Database = DatabaseReference> {
  readonly jobId: string;
  /** The lease's number; events and takeovers count by it. */
  readonly epoch: number;
  /** 0 … 2^53 − 1. */
  readonly seed: number;
  /** Milliseconds since the Unix epoch that relative dates resolve against. */
  readonly referenceInstantMs: number;
  readonly source: Database;
  readonly target: Database;
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
