import { Outlet, createRootRoute, createRoute } from '@tanstack/react-router';

import { Frame } from './frame.js';

/** The parent of pages that a visitor may see without a session. */
export const rootRoute = createRootRoute({ component: Outlet });

/** The parent of pages inside the frame with the navigation. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: Frame,
});
