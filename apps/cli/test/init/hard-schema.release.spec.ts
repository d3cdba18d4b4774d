import './hard-schema.spec.js';
