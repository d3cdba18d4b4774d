import { Module } from '@nestjs/common';

import { ApiDescriptionController } from './api-description.controller.js';

/** Serves the OpenAPI description of this API at `/v1/openapi.json`. */
@Module({ controllers: [ApiDescriptionController] })
export class ApiDescriptionModule {}
