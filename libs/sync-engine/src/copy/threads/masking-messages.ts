import type { JobKeyMaterial } from '@understudy/masking';
import type { JobComposition, SyncFailure } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';

/** What a job's rules are compiled from, but for the tables and what ships. Plain data. */
export interface MaskingJob {
  readonly material: JobKeyMaterial;
  readonly compositions: readonly JobComposition[];
  /** Files of uploaded models by id. */
  readonly hosted: ReadonlyMap<string, Uint8Array>;
  /** Keys the fingerprints of originals in them. */
  readonly fingerprintKey: Uint8Array;
}

/** To a thread. Streams are numbered; each is the rows of one chunk. */
export type MaskingOrder =
  | { readonly kind: 'begin'; readonly stream: number; readonly plan: TablePlan; readonly isText: boolean }
  | ({ readonly kind: 'mask'; readonly stream: number } & RowBatch)
  | { readonly kind: 'finish'; readonly stream: number }
  | { readonly kind: 'drop'; readonly stream: number };

/** What one read has given of rows, the frames between them included. Its buffers change hands. */
export interface RowBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Part i of a row is `bytes[bounds[2i], bounds[2i + 1])`. */
  readonly bounds: Int32Array<ArrayBuffer>;
  /** The last part is not the end of its row. */
  readonly isOpen: boolean;
  /** For what is made of them. */
  readonly room: Uint8Array<ArrayBuffer>;
}

/** From a thread: one for each order but `begin` and `drop`, in their order, until one has failed. */
export type MaskingReply = { readonly stream: number } & (
  | {
      readonly kind: 'masked';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly length: number;
      /** The batch's, to be used again. */
      readonly room: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'finished'; readonly truncated: readonly string[] }
  | MaskingFailure
);

export interface MaskingFailure {
  readonly kind: 'failed';
  /** Without it something failed that is nobody's rule. */
  readonly failure?: SyncFailure;
  /** For the local log. */
  readonly detail: string;
}
