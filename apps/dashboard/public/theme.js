// Applies the stored theme before the first paint. Without a stored theme, the page follows the system.
try {
  const theme = localStorage.getItem('understudy-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is disabled, so the page follows the system.
}
