import './planted-objects.spec.js';
