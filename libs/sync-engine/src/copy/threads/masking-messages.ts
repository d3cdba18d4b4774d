import type { JobKeyMaterial } from '@understudy/masking';
import type { JobComposition, SyncFailure } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';

/**
 * The inputs with which a thread compiles rules. They are cloned into the thread. The plans of tables follow
 * in messages, and each thread loads the built-in models itself.
 */
export interface MaskingJob {
  readonly material: JobKeyMaterial;
  readonly compositions: readonly JobComposition[];
  /** The files of the uploaded models, by model id. */
  readonly hosted: ReadonlyMap<string, Uint8Array>;
  /** The key of the fingerprints of original values that model files contain. */
  readonly fingerprintKey: Uint8Array;
}

/** A message to a thread. A stream consists of the rows of one chunk, and `stream` is the stream's number. */
export type MaskingRequest =
  | { readonly kind: 'begin'; readonly stream: number; readonly plan: TablePlan; readonly isText: boolean }
  | ({ readonly kind: 'mask'; readonly stream: number } & RowBatch)
  | { readonly kind: 'finish'; readonly stream: number }
  | { readonly kind: 'drop'; readonly stream: number };

/**
 * The bytes that one read of the socket returned: rows, and message headers between them. The buffers are
 * transferred to the thread.
 */
export interface RowBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bounds of the parts. Part i is `bytes[bounds[2i], bounds[2i + 1])`: a row or a part of one. */
  readonly bounds: Int32Array<ArrayBuffer>;
  /** True if the last part does not reach the end of its row. */
  readonly isOpen: boolean;
  /** A buffer into which the thread writes the masked rows. */
  readonly spareBuffer: Uint8Array<ArrayBuffer>;
}

/**
 * A message from a thread. Each `mask` and each `finish` gets one reply, in order. After a failure, all
 * further replies of the stream repeat the failure.
 */
export type MaskingReply = { readonly stream: number } & (
  | {
      readonly kind: 'masked';
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly length: number;
      /** The buffer that held the original rows, which the receiver can reuse. */
      readonly spareBuffer: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'finished'; readonly truncated: readonly string[] }
  | MaskingFailure
);

export interface MaskingFailure {
  readonly kind: 'failed';
  /** Absent if the error was not caused by a rule. */
  readonly failure?: SyncFailure;
  /** The error's message, which may appear only in the local log. */
  readonly detail: string;
}
