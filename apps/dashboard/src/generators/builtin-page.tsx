import { getRouteApi, Link } from '@tanstack/react-router';
import {
  Badge,
  Card,
  Code,
  CodeBlock,
  columnsOf,
  EmptyState,
  Notice,
  PageHeader,
  Skeleton,
  Table,
} from '@understudy/ui';
import { Blocks } from 'lucide-react';
import { useMemo } from 'react';

import { PlaygroundLink } from '../playground/actions/playground-link.js';
import { useEngine, useNewest } from '../engine/use-engine.js';
import { schemaText } from '../playground/state/examples.js';
import type { CatalogGenerator, RecordsRequest } from '../engine/worker/messages.js';
import { plainText, shortName } from './generator-names.js';
import { TEXTS } from './texts.js';
import { useBuiltinGenerators } from './queries.js';

const route = getRouteApi('/frame/generators/built-in/$name');
const { builtin: texts } = TEXTS;
/** Values of each example. */
const VALUES = 5;

/** One generator of the product: what it does, its parameters, and examples with values. */
export function BuiltinPage() {
  const { name } = route.useParams();
  const { data, error } = useBuiltinGenerators();
  const generator = data?.find((each) => shortName(each.name) === name);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={<span className="font-mono text-lg">{name}</span>}
        meta={generator && plainText(generator.description)}
        back={{ label: TEXTS.back, render: <Link to="/generators" search={{ tab: 'built-in' }} /> }}
        status={generator && <Badge>{TEXTS.tabs['built-in']}</Badge>}
      />
      {error && <Notice tone="danger" text={texts.failed} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && !generator && <EmptyState {...texts.unknown} icon={<Blocks />} />}
      {generator && (
        <>
          <ParamsCard generator={generator} />
          <ExamplesCard generator={generator} />
        </>
      )}
    </div>
  );
}

function ParamsCard({ generator: { name, params, constraints } }: { readonly generator: CatalogGenerator }) {
  const rows = (manifest: CatalogGenerator['params']) =>
    Object.entries(manifest).map(([param, declared]) => ({ ...declared, name: param }));
  const own = rows(params);
  const limits = rows(constraints);
  return (
    <Card title={texts.params.title}>
      <div className="flex flex-col gap-4">
        {own.length === 0 ? (
          <p className="text-muted">{texts.params.none}</p>
        ) : (
          <Table caption={texts.params.title} columns={PARAM_COLUMNS} rows={own} rowKey={(row) => row.name} />
        )}
        {limits.length > 0 && (
          <>
            <h3 className="font-medium">{texts.params.constraints}</h3>
            <Table
              caption={texts.params.constraints}
              columns={PARAM_COLUMNS}
              rows={limits}
              rowKey={(row) => row.name}
            />
          </>
        )}
        <CodeBlock language={texts.use} code={JSON.stringify({ use: name, ...(own[0] && { params: {} }) })} />
      </div>
    </Card>
  );
}

function ExamplesCard({ generator: { examples } }: { readonly generator: CatalogGenerator }) {
  const engine = useEngine();
  const request = useMemo((): RecordsRequest => {
    const generators = Object.fromEntries(examples.map((example, index) => [`example_${index}`, example]));
    const schema = JSON.stringify({ generators, output: Object.keys(generators) });
    return { kind: 'records', schema, seed: 1, count: VALUES, nowMs: Date.UTC(2026, 0, 1), format: 'table' };
  }, [examples]);
  const response = useNewest(engine, request)?.response;
  const rows = response?.kind === 'records' && response.output.kind === 'table' ? response.output.rows : [];
  const { title, text, example, open } = texts.examples;
  return (
    <Card title={title} text={text}>
      <div className="flex flex-col gap-6">
        {examples.map((definition, index) => {
          const schema = { generators: { value: definition }, output: ['value'] };
          return (
            <div key={index} className="flex flex-col gap-2">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <h3 className="font-medium">{example(index + 1)}</h3>
                <PlaygroundLink schema={schema} label={open(index + 1)} />
              </div>
              <CodeBlock language={texts.json} code={schemaText(definition).trimEnd()} maxHeight={16} />
              <p className="font-mono text-sm wrap-anywhere text-muted">
                {rows.map((row) => row[index] ?? '').join('   ')}
              </p>
            </div>
          );
        })}
      </div>
    </Card>
  );
}

type Param = CatalogGenerator['params'][string] & { readonly name: string };

const PARAM_COLUMNS = columnsOf<Param>()(texts.params.columns, {
  name: { width: '9rem', cell: ({ name }) => <code className="font-mono text-sm">{name}</code> },
  type: { width: '6rem', cell: ({ type }) => type },
  default: {
    width: '9rem',
    cell: ({ required, default: value }) => {
      if (required === true) return texts.params.required;
      return value === undefined ? '–' : <Code>{JSON.stringify(value)}</Code>;
    },
  },
  description: { cell: ({ description = '' }) => plainText(description) },
});
