import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import '@fontsource-variable/inter/wght.css';
import './styles.css';
import { queryClient } from './api/query-client.js';
import { followPages } from './app/page-focus.js';
import { router } from './app/router.js';
import { takeAddressSecret } from './session/address-secret.js';

const root = document.getElementById('dashboard');
if (root === null) throw new Error('expected an element with the id "dashboard"');

takeAddressSecret();
followPages(router);
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
