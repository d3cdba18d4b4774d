import { ConfirmDialog, Menu, ThemeSwitch, useToast } from '@understudy/ui';
import { CircleUser, LogOut } from 'lucide-react';
import { useState } from 'react';

import { problemOf } from '../api/problem.js';
import { sessionStore } from '../session/session-store.js';
import { useSession } from '../session/use-session.js';
import { APP_TEXTS } from './texts.js';

const { user: TEXTS } = APP_TEXTS;

/** Who is signed in, the ways out, and the theme. */
export function UserMenu() {
  const { organization, member, role } = useSession();
  const toast = useToast();
  const [asks, setAsks] = useState(false);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const signOut = () =>
    sessionStore.signOut(false).catch((error: unknown) => {
      const { title, text } = problemOf(error);
      toast.error(title, text);
    });
  const signOutEverywhere = () => {
    setPending(true);
    sessionStore.signOut(true).catch((error: unknown) => {
      const { title, remedy } = problemOf(error);
      setPending(false);
      setFailure(`${title}. ${remedy}`);
    });
  };
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
            <span>{TEXTS.roles[role]}</span>
          </div>
        }
        items={[
          { label: TEXTS.signOut, icon: <LogOut aria-hidden />, onSelect: () => void signOut() },
          { label: TEXTS.signOutEverywhere, danger: true, onSelect: () => setAsks(true) },
        ]}
      />
      <ThemeSwitch />
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={TEXTS.signOutEverywhereTitle}
        consequence={TEXTS.signOutEverywhereText}
        confirmLabel={TEXTS.signOutEverywhere}
        onConfirm={signOutEverywhere}
        pending={pending}
        error={failure}
      />
    </div>
  );
}
