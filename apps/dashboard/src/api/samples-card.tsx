import { writeExactJson } from '@understudy/expression';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { Button, Card } from '@understudy/ui';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';

import { client } from './client.js';
import { QueryState } from './query-state.js';
import { SAMPLE_TEXTS } from './texts.js';

/** The number of values. Fewer would not show how different they are. */
const SAMPLES = 24;

/**
 * Values that the server generates, and a button for other ones.
 * @param generator a generator of a schema, for example `{ type: 'model', source: 'en_US/cities' }`
 * @param queryKey the noun of the screen
 */
export function SamplesCard({
  generator,
  queryKey,
  text,
}: {
  readonly generator: Readonly<Record<string, unknown>>;
  readonly queryKey: QueryKey;
  readonly text: string;
}) {
  const [seed, setSeed] = useState(1);
  const query = useQuery({
    queryKey: [...queryKey, 'samples', generator, seed],
    queryFn: async ({ signal }) => {
      const schema = { generators: { value: generator }, output: ['value'] };
      const records = await client.generate(schema, SAMPLES, { seed, signal });
      return records.map(({ value }) => (typeof value === 'string' ? value : writeExactJson(value)));
    },
    staleTime: Infinity,
  });
  const { title, again } = SAMPLE_TEXTS;
  return (
    <Card
      title={title}
      text={text}
      actions={
        <Button size="small" icon={<RefreshCw aria-hidden />} onClick={() => setSeed(seed + 1)}>
          {again}
        </Button>
      }
    >
      <QueryState query={query} lines={5} />
      <ul className="grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-2" aria-live="polite">
        {query.data?.map((value, index) => (
          <li key={index} dir="auto" className="truncate" title={value}>
            {value}
          </li>
        ))}
      </ul>
    </Card>
  );
}
