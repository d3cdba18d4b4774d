import './replace-privileges.spec.js';
