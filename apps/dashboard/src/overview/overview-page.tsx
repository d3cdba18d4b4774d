import { Link } from '@tanstack/react-router';
import { PageHeader, Section, TextLink } from '@understudy/ui';

import { NAVIGATION } from '../app/navigation.js';
import { allows } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { TEXTS } from './texts.js';

/** The first page after the sign-in, with the screens that the session may use. */
export function OverviewPage() {
  const session = useSession();
  const screens = NAVIGATION.flatMap(({ entries }) => entries).filter(
    ({ to, needs }) => to !== '/' && allows(session, needs),
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={TEXTS.title} meta={TEXTS.meta(session.organization.name)} />
      <Section title={TEXTS.screens}>
        <ul className="flex flex-col gap-1">
          {screens.map(({ label, to }) => (
            <li key={to}>
              <TextLink render={<Link to={to} />}>{label}</TextLink>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
