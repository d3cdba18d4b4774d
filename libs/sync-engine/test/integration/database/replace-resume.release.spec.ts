import './replace-resume.spec.js';
