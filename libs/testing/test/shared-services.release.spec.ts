import './shared-services.spec.js';
