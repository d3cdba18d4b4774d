import { Injectable } from '@nestjs/common';

import type { CheckedModel } from '../models/custom/check-uploaded-model.js';
import type { BuiltinModelDescription } from '../models/describe-builtin-models.js';
import { FlowControl } from './threads/flow-control.js';
import { GenerationThreads } from './threads/generation-threads.js';
import type { ThreadResult, ThreadTask } from './threads/thread-task.js';

/** Reads the files of models, in the threads: the event loop parses none. */
@Injectable()
export class ModelInspection {
  private builtin: Promise<readonly BuiltinModelDescription[]> | undefined;

  constructor(private readonly threads: GenerationThreads) {}

  /** @throws ApiError as `GenerationThreads.run` does */
  async check(organizationId: string, file: Uint8Array<SharedArrayBuffer>): Promise<CheckedModel> {
    const result = await this.run(organizationId, { kind: 'check-model', file });
    if (result.kind !== 'model-checked') throw new Error(`the check of a model ended as ${result.kind}`);
    return result.checked;
  }

  /** Read once, by the thread of who asks first. @throws ApiError as `check` does; the next call tries again */
  builtinModels(organizationId: string): Promise<readonly BuiltinModelDescription[]> {
    this.builtin ??= this.describeBuiltin(organizationId).catch((error: unknown) => {
      this.builtin = undefined;
      throw error;
    });
    return this.builtin;
  }

  private async describeBuiltin(organizationId: string): Promise<readonly BuiltinModelDescription[]> {
    const result = await this.run(organizationId, { kind: 'describe-builtin-models' });
    if (result.kind !== 'described') throw new Error(`describing models ended as ${result.kind}`);
    return result.models;
  }

  private run(organizationId: string, task: ThreadTask): Promise<ThreadResult> {
    return this.threads.run(task, {
      organizationId,
      long: false,
      flow: new FlowControl(),
      signal: new AbortController().signal,
      onChunk: () => undefined,
    });
  }
}
