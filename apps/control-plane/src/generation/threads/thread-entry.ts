import { BuiltinLibrary } from '@understudy/builtin-models';

import { checkColumnRules } from '@understudy/column-rule';
import { defineComposition } from '@understudy/generator';
import { checkConditions } from '@understudy/row-condition';

import { checkUploadedModel } from '../../models/custom/check-uploaded-model.js';
import { describeBuiltinModels } from '../../models/describe-builtin-models.js';
import { checkMock } from '../mock-answers/compile-mock.js';
import { MockAnswerMaker } from '../mock-answers/mock-answers.js';
import { refusalOf } from '../refusal.js';
import { ThreadLibrary } from '../thread-library.js';
import { FlowControl } from './flow-control.js';
import type { ThreadRequest, ThreadResult } from './thread-task.js';
import { writeRecords } from './write-records.js';

const library = new ThreadLibrary(new BuiltinLibrary());
const mocks = new MockAnswerMaker();

/** What a worker thread runs, one request at a time; while a definition is at work, without turning to its event loop. */
export default async function runTask({
  task,
  flow,
  chunks,
  questions,
}: ThreadRequest): Promise<ThreadResult> {
  try {
    if (task.kind === 'check-model') return { kind: 'model-checked', checked: checkUploadedModel(task.file) };
    if (task.kind === 'describe-builtin-models')
      return { kind: 'described', models: describeBuiltinModels() };
    if (task.kind === 'check-composition') {
      const { sources } = library.forTask(questions, task.composition.name);
      const { version, description, output } = defineComposition(task.composition, {
        ...sources,
        nowMs: task.nowMs,
      });
      return { kind: 'composition-checked', facts: { version, description, output } };
    }
    if (task.kind === 'make-mock-answers') {
      const control = new FlowControl(flow);
      const isStopped = (): boolean => control.isStopped;
      const made = mocks.make(task, () => library.forTask(questions), isStopped);
      if (isStopped()) return { kind: 'stopped' };
      return { kind: 'mock-answers-made', made };
    }
    const { sources, usedModels, usedCompositions } = library.forTask(questions);
    if (task.kind === 'check-rules') {
      const conditions = await checkConditions(task.conditions);
      const rules = checkColumnRules(task.tables, { ...sources, nowMs: task.nowMs });
      return {
        kind: 'checked',
        problems: [...rules.problems, ...conditions.problems],
        warnings: rules.warnings,
        models: usedModels,
        compositions: usedCompositions,
        conditionColumns: conditions.columns,
      };
    }
    if (task.kind === 'check-mock') {
      const checked = checkMock(task.definition, sources, task.nowMs, task.count);
      if ('refusal' in checked) return { kind: 'refused', refusal: checked.refusal };
      const { warnings } = checked;
      return { kind: 'mock-checked', models: usedModels, compositions: usedCompositions, warnings };
    }
    const finished = writeRecords(task, sources, new FlowControl(flow), (chunk) =>
      chunks.postMessage(chunk, [chunk.bytes.buffer as ArrayBuffer]),
    );
    return { kind: finished ? 'generated' : 'stopped' };
  } catch (error) {
    const refusal = refusalOf(error, task.kind === 'check-composition' ? '' : 'schema');
    if (!refusal) throw error;
    return { kind: 'refused', refusal };
  } finally {
    chunks.close();
  }
}
