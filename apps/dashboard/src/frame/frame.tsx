import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { AppFrame } from '@understudy/ui';

import { SessionWatch } from '../session/session-watch.js';
import { useSession } from '../session/use-session.js';
import { allows } from '../session/session.js';
import { Brand } from './brand.js';
import { NAVIGATION } from './navigation.js';
import { APP_TEXTS } from './texts.js';
import { UserMenu } from './user-menu.js';

/** The frame of all pages that need a session: navigation, account and what happens at the end of the session. */
export function Frame() {
  const session = useSession();
  const { pathname } = useLocation();
  const navigation = NAVIGATION.map(({ label, entries }) => ({
    ...(label !== undefined && { label }),
    items: entries
      .filter(({ needs }) => allows(session, needs))
      .map(({ label: text, to, icon: Icon }) => ({
        label: text,
        icon: <Icon aria-hidden />,
        render: <Link to={to} activeOptions={{ exact: to === '/' }} />,
      })),
  })).filter(({ items }) => items.length > 0);
  return (
    <>
      <AppFrame
        brand={<Brand />}
        navigation={navigation}
        user={<UserMenu />}
        place={pathname}
        texts={{ ...APP_TEXTS.navigation, navigation: APP_TEXTS.navigation.label }}
      >
        <Outlet />
      </AppFrame>
      <SessionWatch />
    </>
  );
}
