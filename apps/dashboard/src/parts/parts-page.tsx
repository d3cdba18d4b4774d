import { Badge, Button, PageHeader } from '@understudy/ui';

import { ControlsSection } from './controls-section.js';
import { DataSection } from './data-section.js';
import { FeedbackSection } from './feedback-section.js';
import { ProgressSection } from './progress-section.js';

/** All parts of the design system in each state. It is not in the navigation. */
export function PartsPage() {
  return (
    <main id="parts" className="mx-auto flex max-w-5xl flex-col gap-10 px-4 py-8 sm:px-8">
      <title>Parts · Understudy</title>
      <PageHeader
        title="Parts"
        status={<Badge tone="accent">design system</Badge>}
        meta="Each part of the design system in each of its states."
        back={{ label: 'Overview', render: <a href="#parts" /> }}
        actions={<Button kind="primary">Main action</Button>}
      />
      <ControlsSection />
      <DataSection />
      <ProgressSection />
      <FeedbackSection />
    </main>
  );
}
