import { Module } from '@nestjs/common';

import { ApiDescriptionController } from './api-description.controller.js';

/** What this API is, for programs (`/v1/openapi.json`) and for people (`/docs`). */
@Module({ controllers: [ApiDescriptionController] })
export class ApiDescriptionModule {}
