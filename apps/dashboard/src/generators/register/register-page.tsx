import { readKeptJson } from '@understudy/expression';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ApiError, type RegisterGeneratorRequest } from '@understudy/client';
import { Button, Card, LinkButton, PageHeader, toast, lazyPart } from '@understudy/ui';
import { startOfUtcDay } from '@understudy/sync-job';
import { useMemo, useState } from 'react';

import { client } from '../../api/client.js';
import { ProblemNotice, QueryState } from '../../api/query-state.js';
import type { CompositionRequest } from '../../engine/checks/check-composition.js';
import { LeaveGuard } from '../../frame/leave-guard.js';
import type { SchemaEditorHandle, SchemaProblem } from '../../playground/editor/create-editor.js';
import { useCatalog, useEngine, useNewest } from '../../engine/use-engine.js';
import { schemaText } from '../../playground/state/examples.js';
import { nextVersion, splitName } from '../generator-names.js';
import { GENERATORS, useRegisteredGenerator } from '../queries.js';
import { REGISTER, TEXTS } from '../texts.js';
import { CheckResults } from './check-results.js';

const route = getRouteApi('/frame/generators/new');
const SchemaEditor = lazyPart(
  async () => (await import('../../playground/editor/schema-editor.js')).SchemaEditor,
  { lines: 8, label: REGISTER.loadingEditor },
);
const TOP_LEVEL = ['name', 'version', 'description', 'params', 'let', 'body', 'variants', 'output'];
const FIRST = {
  name: '@acme/people:greeting',
  version: '1.0.0',
  description: 'A greeting with a first name.',
  params: { greeting: { type: 'string', default: 'Hello' } },
  let: { first: { type: 'model', source: 'en_US/first_names' } },
  body: '{{greeting}} {{first}}!',
};

/** Registers a composition, or a new version of the one that the address names. */
export function RegisterPage() {
  const { from } = route.useSearch();
  const query = useRegisteredGenerator(from);
  const { data } = query;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={REGISTER.title}
        meta={REGISTER.meta}
        back={{ label: TEXTS.back, render: <Link to="/generators" /> }}
      />
      {from !== undefined && <QueryState query={query} />}
      {(from === undefined || data) && (
        <CompositionForm
          initial={data ? { ...data.definition, version: nextVersion(data.version) } : FIRST}
        />
      )}
    </div>
  );
}

function CompositionForm({ initial }: { readonly initial: object }) {
  const [first] = useState(() => schemaText(initial));
  const [text, setText] = useState(first);
  const [editor, setEditor] = useState<SchemaEditorHandle | null>(null);
  const engine = useEngine();
  const catalog = useCatalog(engine);
  const tables = useMemo(() => catalog && { ...catalog, topLevel: TOP_LEVEL }, [catalog]);
  const request = useMemo((): CompositionRequest => {
    // oxlint-disable-next-line react/purity -- samples change at most once a day
    const nowMs = startOfUtcDay(new Date()).getTime();
    return { kind: 'composition', text, seed: 1, nowMs };
  }, [text]);
  const checked = useNewest(engine, request)?.response;
  const navigate = useNavigate();
  const cache = useQueryClient();
  const register = useMutation({
    mutationFn: (body: RegisterGeneratorRequest) => client.generators.register(body),
    onSettled: () => cache.invalidateQueries({ queryKey: GENERATORS }),
  });
  const [refused, setRefused] = useState<{ readonly text: string; readonly error: unknown }>();
  const serverError = refused?.text === text ? refused.error : undefined;
  const local = checked?.kind === 'composition' ? checked : undefined;
  const problems = useMemo(() => allProblems(local?.problems ?? [], serverError), [local, serverError]);
  // A name that only the organisation may have can hide no other problem from the server, which checks again.
  const isReady = local === undefined ? checked !== undefined : !isBroken(local);
  const submit = () => {
    const body = readKeptJson(text);
    if (body === undefined) return;
    // The server checks each field.
    register.mutate(body as RegisterGeneratorRequest, {
      onError: (error) => setRefused({ text, error }),
      onSuccess: ({ id, name, version }) => {
        toast.success(REGISTER.done(id));
        void navigate({
          to: '/generators/registered/$namespace/$name',
          params: splitName(name),
          search: { version },
          ignoreBlocker: true,
        });
      },
    });
  };
  return (
    <>
      <div className="grid min-w-0 items-start gap-5 xl:grid-cols-2">
        <Card title={REGISTER.definition} flush>
          <div className="h-[24rem] border-t border-line xl:h-[32rem]">
            <SchemaEditor
              text={text}
              onChange={setText}
              problems={problems}
              catalog={tables}
              label={REGISTER.editorLabel}
              description={REGISTER.editorHint}
              onReady={setEditor}
            />
          </div>
          <p className="border-t border-line px-4 py-2 text-sm text-muted">{REGISTER.editorHint}</p>
        </Card>
        <CheckResults checked={checked} problems={problems} editor={editor} />
      </div>
      <ProblemNotice error={serverError ?? null} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabled={!isReady} pending={register.isPending} onClick={submit}>
          {REGISTER.submit}
        </Button>
        <LinkButton kind="quiet" render={<Link to="/generators" />}>
          {REGISTER.cancel}
        </LinkButton>
      </div>
      <LeaveGuard title={REGISTER.leave} isDirty={text !== first && !register.isSuccess} />
    </>
  );
}

/** Whether the page itself knows that the server will refuse the definition. */
function isBroken({
  problems,
  unknownNames,
}: {
  readonly problems: readonly object[];
  readonly unknownNames: readonly string[];
}): boolean {
  return problems.length > 0 && unknownNames.length === 0;
}

/** The problems that the page found, and those that the server found in the same text. */
function allProblems(
  local: readonly { readonly path: string; readonly message: string }[],
  serverError: unknown,
): readonly SchemaProblem[] {
  const remote = serverError instanceof ApiError ? serverError.details : [];
  return [...local, ...remote.map(({ field, message }) => ({ path: field, message }))].map((problem) => ({
    ...problem,
    severity: 'error',
  }));
}
