/*
 * Runs in the page before anything of it does, and keeps what the page's vitals are. A file of its own, since it goes
 * to the browser as it stands.
 */
window.vitals = { lcp: 0, shift: 0, inputs: {} };

function watch(type, take) {
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(take));
  observer.observe({ type, buffered: true, durationThreshold: 16 });
}

watch('largest-contentful-paint', ({ startTime }) => {
  window.vitals.lcp = startTime;
});
watch('layout-shift', ({ value, hadRecentInput }) => {
  if (!hadRecentInput) window.vitals.shift += value;
});
watch('event', ({ interactionId, duration }) => {
  if (interactionId === 0) return;
  const { inputs } = window.vitals;
  inputs[interactionId] = Math.max(inputs[interactionId] ?? 0, duration);
});
