import { Button, Card, CodeBlock, CopyButton, Disclosure, Notice, Select, TextLink } from '@understudy/ui';
import { useMemo, useState, type ReactNode } from 'react';

import type { FormProblem } from '../form/form-location.js';
import { isPlainOption } from '../form/job-form.js';
import type { WrittenRequest } from '../form/write-request.js';
import { TEXTS } from '../texts.js';
import { type RequestFormat, requestText } from './request-text.js';

const { review: texts } = TEXTS;
/** The list begins with this many problems. The others are folded. */
const FIRST_PROBLEMS = 5;
/** The list shows at most this many problems, and the block at most this many characters. */
const SHOWN_PROBLEMS = 20;
const SHOWN_CHARACTERS = 20_000;

/** Shows the remaining problems, the request, and the two actions. */
export function ReviewCard({
  problems,
  onJump,
  request,
  children,
  actions,
}: {
  readonly problems: readonly FormProblem[];
  readonly onJump: (problem: FormProblem) => void;
  readonly request: WrittenRequest;
  /** Results of a dry run, and failures. */
  readonly children: ReactNode;
  readonly actions: ReactNode;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <Card title={texts.title}>
      <div className="flex flex-col gap-4">
        {problems.length === 0 ? (
          <Notice announce={false} tone="success" text={`${texts.ready} ${texts.warning}`} />
        ) : (
          <ProblemList problems={problems} onJump={onJump} />
        )}
        {children}
        <div className="flex flex-wrap items-center gap-2">
          {actions}
          <Button kind="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? texts.hide : texts.show}
          </Button>
        </div>
        {isShown && <RequestBlock request={request} />}
      </div>
    </Card>
  );
}

interface ProblemsProps {
  readonly problems: readonly FormProblem[];
  readonly onJump: (problem: FormProblem) => void;
}

function ProblemList({ problems, onJump }: ProblemsProps) {
  const first = problems.slice(0, FIRST_PROBLEMS);
  const rest = problems.slice(FIRST_PROBLEMS, SHOWN_PROBLEMS);
  return (
    <Notice announce={false} tone="warning" title={texts.problems(problems.length)}>
      <ProblemLines problems={first} onJump={onJump} />
      {rest.length > 0 && (
        <div className="mt-2">
          <Disclosure title={texts.more(problems.length - first.length)}>
            <ProblemLines problems={rest} onJump={onJump} />
            {problems.length > SHOWN_PROBLEMS && <p>{texts.notShown(problems.length - SHOWN_PROBLEMS)}</p>}
          </Disclosure>
        </div>
      )}
    </Notice>
  );
}

function ProblemLines({ problems, onJump }: ProblemsProps) {
  return (
    <ul className="flex flex-col gap-1">
      {problems.map((problem, index) => (
        <li key={index} className="wrap-anywhere">
          {problem.location.kind === 'form' ? (
            <code className="font-mono text-sm">{problem.field}</code>
          ) : (
            <TextLink className="text-left" render={<button type="button" onClick={() => onJump(problem)} />}>
              {nameOf(problem)}
            </TextLink>
          )}
          : {problem.message}
        </li>
      ))}
    </ul>
  );
}

function nameOf({ location, field }: FormProblem): string {
  switch (location.kind) {
    case 'column':
      return `${location.table.name}.${location.column}`;
    case 'table':
      return location.table.name;
    case 'field':
      return isPlainOption(location.field)
        ? TEXTS.options.plain[location.field].label
        : FIELD_NAMES[location.field];
    case 'form':
      return field;
  }
}

const FIELD_NAMES = {
  name: TEXTS.databases.name,
  source: TEXTS.databases.source,
  ignoredTables: TEXTS.options.ignoredTables,
  target: TEXTS.databases.target,
  seed: TEXTS.options.seed,
  now: TEXTS.options.now,
  tables: TEXTS.rules.title,
} as const;

function RequestBlock({ request }: { readonly request: WrittenRequest }) {
  const [format, setFormat] = useState<RequestFormat>('request');
  const text = useMemo(() => requestText(request, format), [request, format]);
  const isLong = text.length > SHOWN_CHARACTERS;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="w-44">
        <Select
          label={texts.format}
          labelHidden
          options={(['request', 'curl', 'file'] as const).map((value) => ({
            value,
            label: texts.formats[value],
          }))}
          value={format}
          onChange={setFormat}
        />
      </div>
      {isLong && (
        <p className="flex items-center gap-1 text-sm text-muted">
          {texts.long} <CopyButton value={text} label={texts.copyAll} />
        </p>
      )}
      <CodeBlock
        code={isLong ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}
        language={format === 'curl' ? 'Shell' : 'JSON'}
      />
    </div>
  );
}
