import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { UnderstudyError } from '@understudy/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import '@fontsource-variable/inter/wght.css';
import './styles.css';
import { recoverQueries } from './api/recover-queries.js';
import { followPages } from './frame/page-focus.js';
import { router } from './router.js';
import { sessionStore } from './session/session-store.js';
import { takeAddressSecret } from './sign-in/address-secret.js';

/**
 * The results of calls. The API's client repeats failed calls itself, so a query does not. Polling stops while the tab
 * is hidden. `recoverQueries` repeats calls that failed while the server was away. Without a network, a call fails
 * immediately, because a paused one would show nothing.
 */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchIntervalInBackground: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

const root = document.getElementById('dashboard');
if (root === null) throw new Error('expected an element with the id "dashboard"');

takeAddressSecret();
followPages(router);
recoverQueries(queryClient, () => sessionStore.load());
createRoot(root, {
  // A page shows the failure of a call. Only other errors are faults of the page.
  onCaughtError: (error) => {
    if (!(error instanceof UnderstudyError)) reportError(error);
  },
}).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
