import './staging-trust.spec.js';
