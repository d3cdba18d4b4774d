import { writeExactJson } from '@understudy/expression';
import { Card, Notice, Skeleton } from '@understudy/ui';

import type { SchemaEditorHandle, SchemaProblem } from '../../playground/editor/create-editor.js';
import { ProblemList } from '../../playground/results/problem-list.js';
import type { Newest } from '../../engine/use-engine.js';
import { useThrottled } from '../../engine/use-throttled.js';
import { REGISTER } from '../texts.js';

/** Screen readers hear about new problems at most this often. */
const ANNOUNCED_EVERY_MS = 5_000;

export interface CheckResultsProps {
  readonly checked: Newest<'composition'>['response'] | undefined;
  readonly problems: readonly SchemaProblem[];
  readonly editor: SchemaEditorHandle | null;
}

/** The problems of a definition, or sample values of it. */
export function CheckResults({ checked, problems, editor }: CheckResultsProps) {
  const announced = useThrottled(
    problems.length === 0 ? '' : REGISTER.problems(problems.length),
    ANNOUNCED_EVERY_MS,
  );
  const { unknown } = REGISTER;
  const local = checked?.kind === 'composition' ? checked : undefined;
  const params = Object.keys(local?.params ?? {}).length > 0 ? writeExactJson(local?.params) : undefined;
  return (
    <Card title={REGISTER.samples} text={REGISTER.samplesText}>
      <div className="flex flex-col gap-3">
        <div role="status" className="sr-only">
          {announced}
        </div>
        {checked === undefined && <Skeleton lines={6} />}
        {checked !== undefined && local === undefined && <Notice tone="warning" text={REGISTER.failed} />}
        {problems.length > 0 && (
          <ProblemList title={REGISTER.problems(problems.length)} problems={problems} editor={editor} />
        )}
        {local && local.unknownNames.length > 0 && (
          <Notice
            tone="info"
            announce={false}
            title={unknown.title}
            text={unknown.text(local.unknownNames.join(', '))}
          />
        )}
        {local?.sampleProblem !== undefined && (
          <Notice tone="info" announce={false} text={REGISTER.sampleProblem(local.sampleProblem)} />
        )}
        {local && local.samples.length === 0 && problems.length > 0 && (
          <p className="text-muted">{REGISTER.noSamples}</p>
        )}
        {params !== undefined && local?.samples.length !== 0 && (
          <p className="text-sm text-muted">{REGISTER.withParams(params)}</p>
        )}
        <ul className="flex flex-col gap-1">
          {local?.samples.map((value, index) => (
            <li key={index} dir="auto" className="font-mono text-sm wrap-anywhere">
              {value}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
