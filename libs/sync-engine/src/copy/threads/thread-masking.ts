import { builtinLibrary } from '@understudy/builtin-models/node';
import { ByteSink } from '@understudy/bytes';
import { ModelRegistry } from '../../models/model-registry.js';
import { copyFormat } from '../copy-format.js';
import { type MaskStream, maskStream } from '../mask-stream.js';
import { compileMasks } from '../../plan/compile-masks.js';
import { copyLayout } from '../copy-layout.js';
import { jobGenerators } from '../../plan/compiler-options.js';
import { SyncJobError } from '@understudy/sync-job';
import type { TablePlan } from '../../plan/table-plan.js';
import type { MaskingJob, MaskingRequest, MaskingReply, RowBatch } from './masking-messages.js';

type Stream = { readonly masks: MaskStream } | { readonly failed: MaskingReply };

/** Compiles rules and masks the rows of streams, in a masking thread. */
export class ThreadMasking {
  private readonly streams = new Map<number, Stream>();
  private readonly compile: (plan: TablePlan) => ReturnType<typeof compileMasks>;

  constructor(private readonly job: MaskingJob) {
    const { fingerprintKey, hosted, material, compositions } = job;
    const builtin = builtinLibrary();
    const registry = new ModelRegistry({ fingerprintKey, read: () => undefined }, builtin, hosted);
    const generators = jobGenerators(builtin.registry, compositions);
    const options = { job: material, models: registry.find, assets: builtin.assets, registry: generators };
    this.compile = (plan) => compileMasks(plan, options);
  }

  /** Handles one message. Never throws. */
  take(request: MaskingRequest): MaskingReply | undefined {
    const { stream } = request;
    switch (request.kind) {
      case 'begin':
        this.streams.set(stream, this.begin(request));
        return undefined;
      case 'drop':
        this.streams.delete(stream);
        return undefined;
      case 'mask':
        return this.attempt(stream, (masks) => ({ stream, ...mask(masks, request) }));
      case 'finish':
        return this.attempt(stream, (masks) => {
          masks.finish();
          return { stream, kind: 'finished', truncated: [...masks.truncated] };
        });
    }
  }

  private begin({ stream, plan, isText }: Extract<MaskingRequest, { kind: 'begin' }>): Stream {
    try {
      const rules = this.compile(plan);
      const layout = copyLayout(plan, rules);
      const format = copyFormat(plan, rules, layout, isText);
      const masks = maskStream(plan, this.job.material, layout, format);
      if (masks === undefined)
        throw new Error('the rows of this table are copied unchanged and need no thread');
      return { masks };
    } catch (error) {
      return { failed: failed(stream, error) };
    }
  }

  private attempt(number: number, work: (masks: MaskStream) => MaskingReply): MaskingReply | undefined {
    const stream = this.streams.get(number);
    if (stream === undefined) return undefined; // the stream has been dropped
    if ('failed' in stream) return stream.failed;
    try {
      return work(stream.masks);
    } catch (error) {
      const reply = failed(number, error);
      this.streams.set(number, { failed: reply });
      return reply;
    }
  }
}

function mask(masks: MaskStream, { bytes, bounds, isOpen, spareBuffer }: RowBatch) {
  const out = new ByteSink(0);
  out.bytes = spareBuffer;
  for (let i = 0; i < bounds.length; i += 2) {
    const isLast = !isOpen || i + 2 < bounds.length;
    masks.take(bytes, bounds[i] as number, bounds[i + 1] as number, isLast, out);
  }
  // If `out` has grown, its bytes are in another buffer than `spareBuffer`.
  return {
    kind: 'masked',
    bytes: out.bytes as Uint8Array<ArrayBuffer>,
    length: out.length,
    spareBuffer: bytes,
  } as const;
}

function failed(stream: number, error: unknown): MaskingReply {
  const cause: unknown = error instanceof SyncJobError ? error.cause : error;
  const detail = cause instanceof Error ? cause.message : String(cause);
  const failure = error instanceof SyncJobError ? { failure: error.failure } : {};
  return { kind: 'failed', stream, ...failure, detail };
}
