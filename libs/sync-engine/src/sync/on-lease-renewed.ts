/**
 * Calls the listener each time the job's lease has been renewed: what must not outlive the lease for long is renewed with it.
 * @returns ends that
 */
export type OnLeaseRenewed = (listener: () => void) => () => void;
