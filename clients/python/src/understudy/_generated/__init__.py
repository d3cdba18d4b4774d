"""Written by `npm run generate` from docs/reference/openapi.json. Do not edit."""
