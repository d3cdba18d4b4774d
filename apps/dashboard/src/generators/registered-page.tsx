import { writeExactJson } from '@understudy/expression';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Generator } from '@understudy/client';
import { Badge, Card, Code, CodeBlock, FactsCard, LinkButton, PageHeader, Time } from '@understudy/ui';
import { CopyPlus, Trash2 } from 'lucide-react';

import { client } from '../api/client.js';
import { MutationButton } from '../api/mutation-button.js';
import { QueryState } from '../api/query-state.js';
import { SamplesCard } from '../api/samples-card.js';
import { PlaygroundLink } from '../playground/actions/playground-link.js';
import { schemaText } from '../playground/state/examples.js';
import { useAllows } from '../session/use-session.js';
import { generatorId, splitName } from './generator-names.js';
import { GENERATORS, useRegisteredGenerator } from './queries.js';
import { exampleParams } from '../engine/checks/example-params.js';
import { TEXTS } from './texts.js';

const route = getRouteApi('/frame/generators/registered/$namespace/$name');

/** One version of a registered composition: samples, definition and facts. Without a version, the highest one. */
export function RegisteredPage() {
  const parts = route.useParams();
  const navigate = useNavigate();
  const { version } = route.useSearch();
  const query = useRegisteredGenerator(generatorId(parts, version));
  const { data: generator } = query;
  const mayChange = useAllows({ role: 'member', scope: 'generators:write' });
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={<span className="font-mono text-lg">{generatorId(parts)}</span>}
        back={{ label: TEXTS.back, render: <Link to="/generators" /> }}
        status={generator && <Badge>{generator.version}</Badge>}
        meta={generator && <span dir="auto">{generator.description}</span>}
        actions={
          generator &&
          mayChange && (
            <>
              <LinkButton render={<Link to="/generators/new" search={{ from: generator.id }} />}>
                <CopyPlus aria-hidden />
                {TEXTS.newVersion}
              </LinkButton>
              <MutationButton
                label={TEXTS.delete}
                icon={<Trash2 aria-hidden />}
                {...TEXTS.deletion(generator.id)}
                run={() => client.generators.delete(generator.id)}
                queryKey={GENERATORS}
                onDone={() => navigate({ to: '/generators' })}
              />
            </>
          )
        }
      />
      <QueryState query={query} />
      {generator && (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Samples key={generator.id} generator={generator} />
          <DefinitionCard generator={generator} />
          <GeneratorFacts generator={generator} />
        </div>
      )}
    </div>
  );
}

function Samples({ generator: { id, definition } }: { readonly generator: Generator }) {
  const params = exampleParams(definition['params']);
  const { text, withParams } = TEXTS.samples;
  return (
    <SamplesCard
      generator={{ use: id, params }}
      queryKey={GENERATORS}
      text={Object.keys(params).length === 0 ? text : withParams(writeExactJson(params))}
    />
  );
}

function DefinitionCard({ generator: { name, version, definition } }: { readonly generator: Generator }) {
  const use = `${name}@${version}`;
  const params = exampleParams(definition['params']);
  const schema = { generators: { value: { use, params } }, output: ['value'] };
  return (
    <Card title={TEXTS.definition.title} actions={<PlaygroundLink schema={schema} />}>
      <CodeBlock language={TEXTS.definition.language} code={schemaText(definition)} maxHeight={32} />
    </Card>
  );
}

function GeneratorFacts({ generator }: { readonly generator: Generator }) {
  const { output, hash, versions, name } = generator;
  return (
    <FactsCard
      texts={TEXTS.facts}
      facts={{
        output,
        created: <Time iso={generator.created_at} />,
        hash: <Code>{hash}</Code>,
        versions: (
          <ul className="flex flex-wrap gap-x-3 gap-y-1">
            {versions.map((version) => (
              <li key={version}>
                <Link
                  to="/generators/registered/$namespace/$name"
                  params={splitName(name)}
                  search={{ version }}
                  className="font-mono text-sm text-accent underline"
                >
                  {version}
                </Link>
              </li>
            ))}
          </ul>
        ),
      }}
    />
  );
}
