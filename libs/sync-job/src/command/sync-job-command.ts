import type { JobDefinition } from './job-definition.js';

/**
 * A job as the control plane sends it to an agent. This type does not depend on protobuf.
 * @typeParam Database the type of `source` and `target`: URLs are plain in the agent and sealed in the
 *   control plane
 */
export interface SyncJobCommand<Database = DatabaseReference> extends JobDefinition {
  readonly jobId: string;
  /**
   * The number of the lease. Each new lease of the job has a higher number. Every event of the job contains
   * the number of its lease.
   */
  readonly epoch: number;
  /** An integer from −(2^53 − 1) to 2^53 − 1. */
  readonly seed: number;
  /** The instant that relative dates refer to, in milliseconds since the Unix epoch. */
  readonly referenceInstantMs: number;
  readonly source: Database;
  readonly target: Database;
  /**
   * The time at which the job was accepted, in milliseconds since the Unix epoch, by the control plane's
   * clock.
   */
  readonly acceptedAtMs: number;
  /** The tables of a job that is too large for one command. Such a command has no `tables`. */
  readonly fetchedTables?: FetchedTables;
  /** The uploaded models that the rules use. */
  readonly hostedModels: readonly HostedModel[];
  /** The registered compositions that the rules use, directly or within other compositions. */
  readonly compositions: readonly JobComposition[];
}

/** Where the tables of a job are: an agent fetches the text that `writeTables` returned. */
export interface FetchedTables {
  /** SHA-256 of the text in lower-case hex. */
  readonly hash: string;
  readonly byteLength: number;
}

export interface JobComposition {
  /** The name by which definitions refer to the composition. */
  readonly use: string;
  /** A JSON object as text. */
  readonly definitionJson: string;
  /** SHA-256 of `definitionJson` in lower-case hex. */
  readonly hash: string;
}

export interface HostedModel {
  /** `custom/<name>` */
  readonly id: string;
  /** SHA-256 of the file in lower-case hex. */
  readonly hash: string;
  readonly byteLength: number;
}

export type DatabaseReference =
  | { readonly kind: 'agent'; readonly name: string }
  /** The URL can contain a password, so it must not be logged or be part of an error. */
  | { readonly kind: 'url'; readonly url: string };
