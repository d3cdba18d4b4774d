import { defineComposition } from '@understudy/generator';

import { TaskStopped, type FlowControl } from './flow-control.js';
import { acceptSyncJob, type SyncJobInput } from './jobs/accept-sync-job.js';
import { checkMock, type CheckMockInput } from './mocks/compiled-mock.js';
import { MockResponseMaker, type MockResponses, type MockResponsesInput } from './mocks/mock-responses.js';
import { checkUploadedModel } from './models/check-uploaded-model.js';
import { describeBuiltinModels } from './models/describe-builtin-models.js';
import type { TaskLibrary } from './worker-library.js';
import { writeRecords, type Chunk, type RecordsInput } from './write-records.js';

/** The services that a worker provides to the task that it runs. */
export interface TaskContext {
  /** @param registering the name of a composition that is being registered */
  readonly library: (registering?: string) => TaskLibrary;
  readonly flow: FlowControl;
  readonly send: (chunk: Chunk) => void;
}

export interface CompositionInput {
  readonly composition: { readonly name: string };
  readonly nowMs: number;
}

const mocks = new MockResponseMaker();

/**
 * The tasks that a worker can run, by kind. Inputs and outputs are plain data, because they are copied between threads.
 * A task throws TaskStopped or an error of the engine. The caller receives an error of the engine as an ApiError.
 */
export const TASKS = {
  generate(input: RecordsInput, { library, flow, send }: TaskContext): void {
    if (!writeRecords(input, library().sources, flow, send)) throw new TaskStopped();
  },

  /** @param input its body is in shared memory, so that it is not copied to the worker */
  'accept-sync-job': (input: SyncJobInput, { library }: TaskContext) => acceptSyncJob(input, library()),

  'check-composition'({ composition, nowMs }: CompositionInput, { library }: TaskContext) {
    const { sources } = library(composition.name);
    const { version, description, output } = defineComposition(composition, { ...sources, nowMs });
    return { version, description, output };
  },

  /** @param file is in shared memory, so that it is not copied to the worker */
  'check-model': (file: Uint8Array<SharedArrayBuffer>) => checkUploadedModel(file),

  'describe-builtin-models': () => describeBuiltinModels(),

  'check-mock'(input: CheckMockInput, { library }: TaskContext) {
    const { sources, usedModels, usedCompositions } = library();
    const warnings = checkMock(input, sources);
    return { sources: { models: usedModels, compositions: usedCompositions }, warnings };
  },

  'make-mock-responses'(input: MockResponsesInput, { library, flow }: TaskContext): MockResponses {
    const made = mocks.make(input, library, () => flow.isStopped);
    if (flow.isStopped) throw new TaskStopped();
    return made;
  },
};

export type TaskKind = keyof typeof TASKS;
export type TaskInput<K extends TaskKind> = Parameters<(typeof TASKS)[K]>[0];
export type TaskOutput<K extends TaskKind> = Awaited<ReturnType<(typeof TASKS)[K]>>;

/** The organisation's models and compositions that the definition of a mock endpoint used at its creation. */
export type MockSources = TaskOutput<'check-mock'>['sources'];
