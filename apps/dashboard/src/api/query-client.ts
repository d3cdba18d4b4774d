import { QueryClient } from '@tanstack/react-query';

/**
 * The results of calls. The API's client repeats failed calls itself, so a query does not. Polling stops while the tab
 * is hidden.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 5_000,
      refetchIntervalInBackground: false,
      // A page shows its own message if a call fails without a network. A paused call would show nothing.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
