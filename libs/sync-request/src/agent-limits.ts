/** How many databases and labels one agent offers; a request names no more labels. */
export const MAX_OFFERED_DATABASES = 100;
export const MAX_AGENT_LABELS = 16;

export const AGENT_LABEL = /^[A-Za-z0-9][A-Za-z0-9._=-]{0,62}$/;

/** How many jobs one agent may be set to run at once, and so how many free slots of one are believed. */
export const MAX_AGENT_SLOTS = 64;
