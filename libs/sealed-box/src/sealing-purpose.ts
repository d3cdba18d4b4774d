/** What a box holds: a box made for one field of one job of one organisation opens for nothing else. */
export interface SealingPurpose {
  readonly organizationId: string;
  readonly jobId: string;
  readonly field: 'source' | 'target';
}

/** The `info` bytes of a purpose. Ids hold no line feed, so different purposes never give the same bytes. */
export function sealingPurpose(purpose: SealingPurpose): Uint8Array {
  const parts = ['understudy sealed url v1', purpose.organizationId, purpose.jobId, purpose.field];
  if (parts.some((part) => part.includes('\n'))) throw new RangeError('an id holds a line feed');
  return new TextEncoder().encode(parts.join('\n'));
}
