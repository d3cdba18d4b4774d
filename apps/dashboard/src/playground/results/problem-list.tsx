import { Notice, TextLink } from '@understudy/ui';

import type { SchemaEditorHandle, SchemaProblem } from '../editor/create-editor.js';
import { TEXTS } from '../texts.js';

/** The list shows at most this many problems. */
const SHOWN = 20;

export interface ProblemListProps {
  readonly title: string;
  readonly problems: readonly SchemaProblem[];
  /** Undefined while the editor is loading. */
  readonly editor: SchemaEditorHandle | null;
}

/** Problems of a schema. Each leads to its line in the editor. */
export function ProblemList({ title, problems, editor }: ProblemListProps) {
  const isError = problems.some(({ severity }) => severity === 'error');
  return (
    <Notice tone={isError ? 'danger' : 'warning'} title={title} announce={false}>
      <ul className="mt-1 flex flex-col gap-1">
        {problems.slice(0, SHOWN).map((problem, index) => (
          <li key={index} className="wrap-anywhere">
            {editor !== null && (
              <>
                <TextLink render={<button type="button" onClick={() => editor.goTo(problem)} />}>
                  {TEXTS.line(editor.lineOf(problem))}
                </TextLink>{' '}
              </>
            )}
            {problem.path !== '' && <code className="font-mono text-sm">{problem.path}</code>}{' '}
            {problem.message}
          </li>
        ))}
        {problems.length > SHOWN && <li>{TEXTS.moreProblems(problems.length - SHOWN)}</li>}
      </ul>
    </Notice>
  );
}
