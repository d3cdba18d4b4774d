import { Menu, ThemeSwitch } from '@understudy/ui';
import { CircleUser, LogOut, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';

import { MutationDialog } from '../api/mutation-dialog.js';
import { toastProblem } from '../api/query-state.js';
import { roleName } from '../session/roles.js';
import { sessionStore } from '../session/session-store.js';
import { SessionsDialog } from '../session/sessions-dialog.js';
import { useSession } from '../session/use-session.js';
import { APP_TEXTS } from './texts.js';

const { user: TEXTS } = APP_TEXTS;

/** Who is signed in, the ways out, and the theme. */
export function UserMenu() {
  const { organization, member, role } = useSession();
  const [asks, setAsks] = useState(false);
  const [isListed, setIsListed] = useState(false);
  return (
    <div className="flex min-w-0 items-center justify-between gap-2">
      <Menu
        label={organization.name}
        showLabel
        align="start"
        icon={<CircleUser aria-hidden />}
        header={
          <div className="flex max-w-60 flex-col gap-0.5 wrap-anywhere">
            <span>{organization.name}</span>
            <span>{member?.email ?? TEXTS.apiKey}</span>
            <span>{roleName(role)}</span>
          </div>
        }
        items={[
          {
            label: TEXTS.sessions,
            icon: <MonitorSmartphone aria-hidden />,
            onSelect: () => setIsListed(true),
          },
          'separator',
          {
            label: TEXTS.signOut,
            icon: <LogOut aria-hidden />,
            onSelect: () => void sessionStore.signOut(false).catch(toastProblem),
          },
          { label: TEXTS.signOutEverywhere, danger: true, onSelect: () => setAsks(true) },
        ]}
      />
      <ThemeSwitch />
      {isListed && <SessionsDialog onClose={() => setIsListed(false)} />}
      {asks && (
        <MutationDialog
          title={TEXTS.signOutEverywhereTitle}
          text={TEXTS.signOutEverywhereText}
          confirmLabel={TEXTS.signOutEverywhere}
          run={() => sessionStore.signOut(true)}
          onClose={() => setAsks(false)}
        />
      )}
    </div>
  );
}
