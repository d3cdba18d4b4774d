import { SetMetadata } from '@nestjs/common';

export const WITHOUT_ENVELOPE = 'understudy:without-envelope';

/** The handler's return value is the body as it is: probes, metrics, and streams that write what belongs around them. */
export const WithoutEnvelope = (): MethodDecorator & ClassDecorator => SetMetadata(WITHOUT_ENVELOPE, true);
