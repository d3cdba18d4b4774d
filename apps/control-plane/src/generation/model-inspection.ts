import { Injectable } from '@nestjs/common';

import type { CheckedModel } from '../models/check-uploaded-model.js';
import type { ModelVariety } from '../models/describe-model.js';
import type { BuiltinModelDescription } from '../models/describe-builtin-models.js';
import { FlowControl } from './threads/flow-control.js';
import { GenerationThreads } from './threads/generation-threads.js';
import type { ThreadResult, ThreadTask } from './threads/thread-task.js';

/** Reads the files of models, in the threads: the event loop parses none. */
@Injectable()
export class ModelInspection {
  private builtin: Promise<readonly BuiltinModelDescription[]> | undefined;
  private readonly varieties = new Map<string, Promise<ModelVariety>>();

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

  /** As `builtinModels`, for one model of those. */
  varietyOfBuiltin(organizationId: string, id: string): Promise<ModelVariety> {
    const known = this.varieties.get(id);
    if (known) return known;
    const asked = this.measureBuiltin(organizationId, id).catch((error: unknown) => {
      this.varieties.delete(id);
      throw error;
    });
    this.varieties.set(id, asked);
    return asked;
  }

  private async measureBuiltin(organizationId: string, id: string): Promise<ModelVariety> {
    const result = await this.run(organizationId, { kind: 'measure-builtin-model', id });
    if (result.kind !== 'measured') throw new Error(`measuring a model ended as ${result.kind}`);
    return result.variety;
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
