import type { OnLeaseRenewed } from '@understudy/sync-engine';

const EVERY_MS = 10_000;

/** While this process lives, what it holds is renewed again and again, as an agent's lease would be. */
export const renewed: OnLeaseRenewed = (listener) => {
  const timer = setInterval(listener, EVERY_MS);
  return () => {
    clearInterval(timer);
  };
};
