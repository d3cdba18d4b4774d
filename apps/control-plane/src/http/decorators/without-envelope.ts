import { SetMetadata } from '@nestjs/common';

export const WITHOUT_ENVELOPE = 'understudy:without-envelope';

/** The handler's return value is the body as it is; for probes and metrics. */
export const WithoutEnvelope = (): MethodDecorator & ClassDecorator => SetMetadata(WITHOUT_ENVELOPE, true);
