import type { MessagePort } from 'node:worker_threads';

import type { RuledTable } from '@understudy/column-rule';
import type { WrittenCondition } from '@understudy/row-condition';

import type { FieldProblem } from '../../http/errors/api-error.js';
import type { CompositionFacts } from '../../generators/stored-composition.js';
import type { CheckedModel } from '../../models/custom/check-uploaded-model.js';
import type { BuiltinModelDescription } from '../../models/describe-builtin-models.js';
import type { MockAnswers, MockAnswersTask } from '../mock-answers/mock-answers.js';
import type { MockDefinition } from '../mock-answers/mock-definition.js';
import type { AnswerFormat } from '../answer-format.js';
import type { UsedComposition, UsedModel } from '../thread-library.js';
import type { Refusal } from '../refusal.js';
import type { QuestionLine } from './task-questions.js';

/** What a thread does. Plain data: it is copied over. */
export type ThreadTask =
  | GenerateTask
  | CheckRulesTask
  | CheckCompositionTask
  | CheckModelTask
  | DescribeBuiltinModelsTask
  | CheckMockTask
  | MockAnswersTask;

export interface GenerateTask {
  readonly kind: 'generate';
  readonly schema: unknown;
  readonly seed: number;
  readonly count: number;
  readonly nowMs: number;
  readonly format: AnswerFormat;
}

export interface CheckRulesTask {
  readonly kind: 'check-rules';
  readonly tables: readonly RuledTable[];
  readonly conditions: readonly WrittenCondition[];
  readonly nowMs: number;
}

/** Checks a composition before it is registered. */
export interface CheckCompositionTask {
  readonly kind: 'check-composition';
  readonly composition: { readonly name: string };
  readonly nowMs: number;
}

/** Reads a file that was uploaded. */
export interface CheckModelTask {
  readonly kind: 'check-model';
  /** Shared, not copied. */
  readonly file: Uint8Array<SharedArrayBuffer>;
}

export interface DescribeBuiltinModelsTask {
  readonly kind: 'describe-builtin-models';
}

/** Checks what a mock endpoint is to answer with, before there is one. */
export interface CheckMockTask {
  readonly kind: 'check-mock';
  readonly definition: MockDefinition;
  /** Records of a call. */
  readonly count: number;
  readonly nowMs: number;
}

export interface ThreadRequest {
  readonly task: ThreadTask;
  /** Of a FlowControl. */
  readonly flow: SharedArrayBuffer;
  /** Where chunks go, in order, all of them before the result. */
  readonly chunks: MessagePort;
  /** Where the thread asks for custom models. */
  readonly questions?: QuestionLine;
}

/** Whole records; the bytes are the receiver's. */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly records: number;
  /** Of the first chunk: what the schema does not get, and what may go wrong in the records to come. */
  readonly warnings?: readonly FieldProblem[];
}

export type ThreadResult =
  | { readonly kind: 'generated' }
  | {
      readonly kind: 'checked';
      readonly problems: readonly FieldProblem[];
      readonly warnings: readonly FieldProblem[];
      /** Custom models that the rules draw from. */
      readonly models: readonly UsedModel[];
      /** Registered compositions that they use. */
      readonly compositions: readonly UsedComposition[];
      /** Of each condition, the columns that it names. */
      readonly conditionColumns: readonly (readonly string[])[];
    }
  | { readonly kind: 'composition-checked'; readonly facts: CompositionFacts }
  | { readonly kind: 'model-checked'; readonly checked: CheckedModel }
  | { readonly kind: 'described'; readonly models: readonly BuiltinModelDescription[] }
  | {
      readonly kind: 'mock-checked';
      readonly models: readonly UsedModel[];
      readonly compositions: readonly UsedComposition[];
      readonly warnings: readonly FieldProblem[];
    }
  | { readonly kind: 'mock-answers-made'; readonly made: MockAnswers }
  /** Chunks may have been sent: the records before the one that failed. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** FlowControl said so. */
  | { readonly kind: 'stopped' };
