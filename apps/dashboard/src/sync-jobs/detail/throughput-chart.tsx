import { Card, Chart, formatCount } from '@understudy/ui';

import { DETAIL_TEXTS } from './texts.js';
import type { Sample } from './throughput.js';

const { chart: texts } = DETAIL_TEXTS.overview;

/** @param samples one or more */
export function ThroughputChart({ samples }: { readonly samples: readonly Sample[] }) {
  const rows = samples.map((sample) => sample.rows);
  return (
    <Card title={texts.title} text={texts.text}>
      <Chart
        label={texts.label}
        summary={texts.summary(formatCount(Math.min(...rows)), formatCount(Math.max(...rows)))}
        times={samples.map(({ at }) => at)}
        series={[{ label: texts.label, values: rows }]}
        format={(value) => formatCount(Math.round(value))}
      />
    </Card>
  );
}
