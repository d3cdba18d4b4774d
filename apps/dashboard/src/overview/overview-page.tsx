import { PageHeader } from '@understudy/ui';

import { useSession } from '../session/use-session.js';
import { TEXTS } from './texts.js';

/** The first page after the sign-in. */
export function OverviewPage() {
  const { organization } = useSession();
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta(organization.name)} />
    </div>
  );
}
